"""Winds, their vorticity and divergence, gradients, and fields of mixed spins, from files to files."""
import shutil

import h5py
import numpy as np
import pytest

from conftest import Workplace
from test_bad_input import refused
from tiers import RANKS, sweep

EARTH = 6371000.0
GRID = "{gauss: {nlat: 24}}"


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A file of a map on the grid."""
    place = Workplace(tmp_path_factory.mktemp("grid"))
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 2, out: a}\n"
              f"  - synthesis: {{alm: a, grid: {GRID}, out: m}}\noutputs:\n  m: {{file: grid.h5}}\n")
    assert place.armilla("run", "job.yaml").code == 0
    return place.folder / "grid.h5"


@pytest.fixture
def place(place, empty):
    place.empty = empty
    return place


def gauss_map(place, name, fields, unit, values):
    """A map file on the grid; `values(theta, phi)` gives [component][ring][pixel]."""
    shutil.copy(place.empty, place.folder / name)
    with h5py.File(place.folder / name, "r+") as file:
        theta = file["grid/theta"][:][:, None]
        phi = 2 * np.pi * np.arange(48)[None, :] / 48
        numbers = np.array([np.broadcast_to(part, (24, 48)).ravel() for part in values(theta, phi)])
        del file["map"]
        data = file.create_dataset("map", data=numbers)
        data.attrs["FIELDS"] = fields
        data.attrs["UNITS"] = unit
    return theta, phi


def read(place, name):
    with h5py.File(place.folder / name) as file:
        data = file["map"]
        attributes = {key: data.attrs[key] for key in data.attrs}
        return data[:].reshape(data.shape[0], 24, 48), attributes


def rotation(theta, phi):
    return 40 * np.sin(theta) + 0 * phi, 0 * theta * phi


WIND = f"""inputs:
  air: {{map: air.h5}}
steps:
  - analysis: {{map: air, lmax: 23, out: air_alm}}
  - convert_vector: {{alm: air_alm, to: vorticity_divergence, radius_m: 6371000, out: turning_alm}}
  - synthesis: {{alm: turning_alm, grid: {GRID}, out: turning}}
  - convert_vector: {{alm: turning_alm, to: stream_potential, radius_m: 6371000, out: stream_alm}}
  - synthesis: {{alm: stream_alm, grid: {GRID}, out: stream}}
  - convert_vector: {{alm: stream_alm, to: wind, radius_m: 6371000, out: again_alm}}
  - synthesis: {{alm: again_alm, grid: {GRID}, out: again}}
outputs:
  turning: {{file: turning.h5}}
  stream: {{file: stream.h5}}
  again: {{file: again.h5}}
  again_alm: {{file: again_alm.h5}}
"""


# claims: step convert_vector
@pytest.mark.parametrize("names, ranks", [("U,V", 0), ("u10,v10", 2), *sweep(("U,V", 3), ("u10,v10", 3))])
def test_solid_body_rotation(place, ranks, names):
    theta, _ = gauss_map(place, "air.h5", names, "m s**-1", rotation)
    job = WIND
    if names != "U,V":
        job = job.replace("map: air.h5", "map: air.h5, fields: [{names: [u10, v10], spin: 1}]")
        job = job.replace("to: vorticity", "from: wind, to: vorticity")
    place.job(job)
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error
    turning, said = read(place, "turning.h5")
    assert (said["FIELDS"], said["UNITS"], list(said["SPINS"])) == ("VORTICITY,DIVERGENCE", "1/s", [0, 0])
    size = 80 / EARTH
    assert np.max(np.abs(turning[0] - size * np.cos(theta))) < 1e-13 * size
    assert np.max(np.abs(turning[1])) < 1e-13 * size
    stream, said = read(place, "stream.h5")
    assert (said["FIELDS"], said["UNITS"]) == ("STREAM,POTENTIAL", "m^2/s")
    assert np.max(np.abs(stream[0] + 40 * EARTH * np.cos(theta))) < 1e-13 * 40 * EARTH
    again, said = read(place, "again.h5")
    assert (said["FIELDS"], said["UNITS"], list(said["SPINS"])) == ("U,V", "m/s", [1, 1])
    assert "POLCCONV" not in said
    assert np.max(np.abs(again[0] - 40 * np.sin(theta))) < 1e-13 * 40
    assert np.max(np.abs(again[1])) < 1e-13 * 40


def test_a_file_of_winds_and_temperature_comes_back_as_such(place):
    """FIELDS and SPINS of what was written say all; in FITS, names and SPIN do."""
    gauss_map(place, "air.h5", "T,U,V", "", lambda t, p: (280 * np.cos(t) ** 2 + 0 * p, *rotation(t, p)))
    place.job("inputs:\n  air: {map: air.h5}\noutputs:\n  air: {file: b.h5}\n")
    refused(place, 1, "air.h5 has the components T, U, V", "their spins are unspecified")
    place.job("inputs:\n  air: {map: air.h5, fields: [T, U, V]}\nsteps:\n  - analysis: {map: air, lmax: 23, out: a}\n"
              "outputs:\n  a: {file: a.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    assert place.armilla("convert", "a.h5", "a.fits").code == 0
    for name in ("a.h5", "a.fits"):
        place.job(f"inputs:\n  a: {{alm: {name}}}\nsteps:\n  - synthesis: {{alm: a, grid: {GRID}, out: m}}\n"
                  "outputs:\n  m: {file: m.h5}\n")
        result = place.armilla("run", "job.yaml")
        assert result.code == 0, result.error
        values, said = read(place, "m.h5")
        assert (said["FIELDS"], list(said["SPINS"])) == ("T,U,V", [0, 1, 1])
        expected, _ = read(place, "air.h5")
        assert np.max(np.abs(values - expected)) < 1e-12 * 280


# claims: step gradient
def test_gradient_is_the_derivative(place):
    gauss_map(place, "t.h5", "T", "K", lambda t, p: (np.sin(t) ** 2 * np.cos(2 * p),))
    place.job("inputs:\n  t: {map: t.h5}\nsteps:\n  - analysis: {map: t, lmax: 20, out: a}\n"
              f"  - gradient: {{alm: a, grid: {GRID}, out: slope}}\n"
              f"  - gradient: {{alm: a, grid: {GRID}, axes: east_north, radius_m: 2, out: half}}\n"
              "outputs:\n  slope: {file: slope.h5}\n  half: {file: half.h5}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "t.h5") as file:
        theta = file["grid/theta"][:][:, None]
    phi = 2 * np.pi * np.arange(48)[None, :] / 48
    south = 2 * np.sin(theta) * np.cos(theta) * np.cos(2 * phi)
    east = -2 * np.sin(theta) * np.sin(2 * phi)
    slope, said = read(place, "slope.h5")
    assert (said["FIELDS"], said["UNITS"]) == ("T_THETA,T_PHI", "K")
    assert np.max(np.abs(slope - [south, east])) < 1e-13
    half, said = read(place, "half.h5")
    assert (said["FIELDS"], said["UNITS"]) == ("T_EAST,T_NORTH", "K/m")
    assert np.max(np.abs(half - [east / 2, -south / 2])) < 1e-13


# claims: step adjoint_analysis
def test_adjoint_analysis_is_the_adjoint(place):
    """<A map, alm> = <map, A^T alm>, m of both signs counted."""
    rng = np.random.default_rng(3)
    gauss_map(place, "sky.h5", "T,Q,U", "", lambda t, p: rng.normal(size=(3, 24, 48)))
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 23, mmax: 20, out: found}\n"
              "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 23, mmax: 20, out: alm}\n"
              f"  - adjoint_analysis: {{alm: alm, grid: {GRID}, out: back}}\n"
              "outputs:\n  found: {file: found.h5}\n  alm: {file: alm.h5}\n  back: {file: back.h5}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    coefficients = []
    for name in ("found.h5", "alm.h5"):
        with h5py.File(place.folder / name) as file:
            coefficients.append(file["alm"][:])
    twice = np.where(np.arange(coefficients[0].shape[1]) < 24, 1, 2)
    left = np.sum(twice * (coefficients[0] * coefficients[1].conj()).real)
    back = read(place, "back.h5")[0]
    sky = read(place, "sky.h5")[0]
    assert left == pytest.approx(np.sum(sky * back), abs=1e-13 * np.linalg.norm(sky) * np.linalg.norm(back))


@pytest.mark.parametrize("ranks", RANKS)
class TestBadInput:
    def step(self, place, text, fields="T, U, V"):
        place.map("air.h5", 4, 3, FIELDS="T,U,V")
        place.job(f"inputs:\n  air: {{map: air.h5, fields: [{fields}]}}\nsteps:\n"
                  f"  - analysis: {{map: air, lmax: 8, out: a}}\n  - {text}\noutputs:\n  b: {{file: b.h5}}\n")

    @pytest.mark.parametrize("text, fields, parts", [
        ("gradient: {alm: a, grid: {healpix: {nside: 4}}, out: b}", "T, U, V",
         ["job.yaml:6: steps[1].gradient.alm = a has the fields T, E_U, B_V", "spin 1: only scalars have a gradient"]),
        ("gradient: {alm: a, grid: {healpix: {nside: 4}}, radius_m: 0, out: b}", "T",
         ["job.yaml:6: steps[1].gradient.radius_m = 0 is not a valid radius", "6371000"]),
        ("convert_vector: {alm: a, to: wind, out: b}", "T",
         ["steps[1].convert_vector.alm = a has the fields T, none of which has the name of a vector field: set 'from'"]),
        ("analysis: {map: air, lmax: 8, out: b}", "{names: [U, V], spin: 9}",
         ["lmax = 8 is below the spin = 9 of the fields U, V, which have no degrees l < 9: raise lmax"]),
        ("spectra: {alm: a, out: b}", "{names: [U], spin: 1}",
         ["job.yaml:3: inputs.air.fields", "has 1 names: a field of spin above 0 has two components"]),
        ("convert_vector: {alm: a, from: wind, to: stream_potential, out: b}", "T",
         ["has the fields T, which are not wind: expected two components of spin 1"]),
        ("convert_vector: {alm: a, from: stream_potential, to: wind, out: b}", "{name: T}, {name: U}, {name: V}",
         ["has the fields T, U, V, and more than one pair of them can be stream_potential: name the intended pair STREAM, POTENTIAL"]),
        *sweep(
            ("gradient: {alm: a, grid: {healpix: {nside: 4}}, axes: up, out: b}", "T",
             ["steps[1].gradient.axes", "theta_phi, east_north"]),
            ("convert_vector: {alm: a, to: wind, radius_m: -1, out: b}", "T, U, V",
             ["steps[1].convert_vector.radius_m = -1 is not a valid radius"]),
            ("convert_vector: {alm: a, to: breeze, out: b}", "T, U, V",
             ["steps[1].convert_vector.to", "theta_phi, wind, vorticity_divergence, stream_potential"]),
            ("adjoint_gradient: {map: air, lmax: 8, out: b}", "T, U, V",
             ["steps[1].adjoint_gradient.map = air has the fields T, U, V", "spin 0: tangent vectors have spin 1"]),
            ("adjoint_synthesis: {map: air, lmax: 0, out: b}", "U, V",
             ["steps[1].adjoint_synthesis.lmax = 0 is below the spin = 1 of the fields U, V", "raise lmax"]),
            ("spectra: {alm: a, out: b}", "{names: [U, V]}", ["inputs.air.fields", "lacks the key 'spin'"]),
            ("spectra: {alm: a, out: b}", "{names: [U, V], spin: -1}", ["inputs.air.fields", "spin = -1"]),
            ("spectra: {alm: a, out: b}", "{nam: T}", ["inputs.air.fields", "unknown key 'nam': did you mean 'name'"]),
            ("spectra: {alm: a, out: b}", "T, Q", ["fields [T, Q] are not a known combination: Q is half of a pair"])),
    ])
    def test_messages(self, place, ranks, text, fields, parts):
        self.step(place, text, fields)
        refused(place, ranks, *parts)

    def test_spins_of_a_file_are_too_few(self, place, ranks):
        place.map("bad.h5", 4, 3, SPINS=np.array([0, 2]))
        place.job("inputs:\n  a: {map: bad.h5}\noutputs:\n  a: {file: b.h5}\n")
        refused(place, ranks, "bad.h5", "SPINS has 2 numbers, but the dataset has 3 components")

    def test_adjoint_analysis_needs_weights(self, place, ranks):
        with h5py.File(place.folder / "rings.h5", "w") as file:
            grid = file.create_group("grid")
            grid["theta"], grid["phi0"], grid["nphi"] = [1.0, 2.0], [0.0, 0.0], [9, 9]
        self.step(place, "adjoint_analysis: {alm: a, grid: {rings: {file: rings.h5}}, out: b}")
        refused(place, ranks, "steps[1].adjoint_analysis.grid = ", "rings.h5", "has no quadrature weights")

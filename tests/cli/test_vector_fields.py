"""Winds, their vorticity and divergence, gradients, and fields of mixed spins, from files to files."""
import shutil

import h5py
import numpy as np
import pytest

from conftest import Workplace, listed
from tiers import sweep

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
        attributes["FIELDS"] = listed(attributes["FIELDS"])
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
    if names == "U,V":
        job = job.replace("map: air.h5", "map: air.h5, fields: [U, V], spin: 1")
    else:
        job = job.replace("map: air.h5", "map: air.h5, fields: [{names: [u10, v10], spin: 1}]")
        job = job.replace("to: vorticity", "from: wind, to: vorticity")
    place.job(job)
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error
    turning, said = read(place, "turning.h5")
    assert (said["FIELDS"], list(said["UNITS"]), list(said["SPINS"])) == ("VORTICITY,DIVERGENCE", ["1/s"] * 2, [0, 0])
    size = 80 / EARTH
    assert np.max(np.abs(turning[0] - size * np.cos(theta))) < 1e-13 * size
    assert np.max(np.abs(turning[1])) < 1e-13 * size
    stream, said = read(place, "stream.h5")
    assert (said["FIELDS"], list(said["UNITS"])) == ("STREAM,POTENTIAL", ["m^2/s"] * 2)
    assert np.max(np.abs(stream[0] + 40 * EARTH * np.cos(theta))) < 1e-13 * 40 * EARTH
    again, said = read(place, "again.h5")
    assert (said["FIELDS"], list(said["UNITS"]), list(said["SPINS"])) == ("U,V", ["m/s"] * 2, [1, 1])
    assert "POLCCONV" not in said
    assert np.max(np.abs(again[0] - 40 * np.sin(theta))) < 1e-13 * 40
    assert np.max(np.abs(again[1])) < 1e-13 * 40


def test_a_file_of_winds_and_temperature_comes_back_as_such(place):
    """FIELDS and SPINS of what was written say all; in FITS, names and SPIN do."""
    gauss_map(place, "air.h5", "T,U,V", "", lambda t, p: (280 * np.cos(t) ** 2 + 0 * p, *rotation(t, p)))
    place.job("inputs:\n  air: {map: air.h5, fields: [T, U, V], spin: 1}\nsteps:\n  - analysis: {map: air, lmax: 23, out: a}\n"
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
    assert (said["FIELDS"], list(said["UNITS"])) == ("T_THETA,T_PHI", ["K"] * 2)
    assert np.max(np.abs(slope - [south, east])) < 1e-13
    half, said = read(place, "half.h5")
    assert (said["FIELDS"], list(said["UNITS"])) == ("T_EAST,T_NORTH", ["K/m"] * 2)
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

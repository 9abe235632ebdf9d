"""What steps on a_lm do (multiply, scale, add, resize, regrid, rotate), and the conventions of files, as a user sees them."""
import h5py
import numpy as np
import pytest

from conftest import Workplace
from tiers import RANKS

LMAX = 12


def positions(lmax, mmax):
    """(l, m) of each coefficient, in the order of files."""
    pairs = [(l, m) for m in range(mmax + 1) for l in range(m, lmax + 1)]
    return np.array([l for l, m in pairs]), np.array([m for l, m in pairs])


def write_alm(place, name, lmax=LMAX, mmax=LMAX, seed=1, fields=("T",), **attributes):
    l, m = positions(lmax, mmax)
    draw = np.random.default_rng(seed)
    values = draw.normal(size=(len(fields), l.size)) + 1j * draw.normal(size=(len(fields), l.size)) * (m > 0)
    with h5py.File(place.folder / name, "w") as file:
        data = file.create_dataset("alm", data=values)
        data.attrs.update({"LMAX": lmax, "MMAX": mmax, "FIELDS": list(fields), **attributes})
    return values


def run(place, inputs, steps, output, ranks=1, convention=""):
    lines = ["inputs:"] + [f"  {name}: {{alm: {text}}}" for name, text in inputs.items()]
    lines += (["steps:"] if steps else []) + [f"  - {step}" for step in steps]
    place.job("\n".join(lines + ["outputs:", f"  {output}: {{file: out.h5{convention}}}"]) + "\n")
    return place.armilla("run", "job.yaml", ranks=ranks)


def result_of(place, inputs, steps, output="out", ranks=1, convention=""):
    done = run(place, inputs, steps, output, ranks, convention)
    assert done.code == 0, done.error
    with h5py.File(place.folder / "out.h5") as file:
        return file["alm"][:], dict(file["alm"].attrs)


SIZES = [(5, 5), (12, 4), (20, 12), (20, 17), (30, 2), (0, 0)]
ALGEBRA = {  # step: formula of a and b
    "scale: {alm: a, factor: -2.5e3": lambda a, b, l: -2.5e3 * a,
    "add: {alm: a, with: b": lambda a, b, l: a + b,
    "add: {alm: a, with: b, factors: [2, -0.5]": lambda a, b, l: 2 * a - 0.5 * b,
    "add: {alm: a, with: a, factors: [2, -4]": lambda a, b, l: -2 * a,
    "multiply: {alm: a, by: {l_range: [3, 7]}": lambda a, b, l: a * ((l >= 3) & (l <= 7)),
    "multiply: {alm: a, by: {laplacian_power: 1}": lambda a, b, l: a * (l * (l + 1)),
    "multiply: {alm: a, by: {laplacian_power: -1}": lambda a, b, l: a / np.where(l > 0, l * (l + 1), np.inf),
    "multiply: {alm: a, by: {window: beam.dat}": lambda a, b, l: a / (l + 1),
    # Operands stay as they are while they are needed: o0 is the first of these.
    "add: {alm: a, with: o0, factors: [1, 1]": lambda a, b, l: a - 2.5e3 * a,
}


@pytest.fixture(scope="module", params=RANKS)
def computed(request, tmp_path_factory):
    """All steps in one job, on these numbers of ranks."""
    place = Workplace(tmp_path_factory.mktemp("algebra"))
    place.a, place.b = write_alm(place, "a.h5"), write_alm(place, "b.h5", seed=2)
    place.teb = write_alm(place, "teb.h5", fields=("T", "E", "B"), COORDSYS="G")
    place.galactic = write_alm(place, "galactic.h5", COORDSYS="G")
    degrees = np.arange(LMAX + 3)
    place.windows = np.array([1 / (degrees + 1), np.exp(-degrees / 5), np.cos(degrees)])
    rows = np.column_stack([degrees, *place.windows])
    np.savetxt(place.folder / "window.dat", rows, fmt="%d" + " %.17g" * 3, header="L T E B")
    np.savetxt(place.folder / "beam.dat", rows[:, :2], fmt="%d %.17g", header="L beam")
    steps = [f"{step}, out: o{i}}}" for i, step in enumerate(ALGEBRA)]
    steps += ["multiply: {alm: teb, by: {window: window.dat}, out: windowed}"]
    steps += [f"resize: {{alm: teb, lmax: {lmax}, mmax: {mmax}, out: r_{lmax}_{mmax}}}" for lmax, mmax in SIZES]
    # A band-limited map through coefficients is the map that synthesis would have drawn there.
    steps += ["synthesis: {alm: a, grid: {gauss: {nlat: 16}}, out: gauss}",
              "synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: direct}",
              "regrid: {map: gauss, grid: {healpix: {nside: 8}}, out: regridded}",
              "regrid: {map: gauss, grid: {healpix: {nside: 8}}, lmax: 5, out: coarse}"]
    steps += ["rotate: {alm: teb, euler_deg: [10, 20, 30], out: tilted}", "rotate: {alm: tilted, euler_deg: [-30, -20, -10], out: back}",
              "rotate: {alm: galactic, from: galactic, to: equatorial, out: said}",
              "rotate: {alm: galactic, to: equatorial, out: known}",
              "rotate: {alm: galactic, to: ecliptic, out: ecliptic}",
              "rotate: {alm: a, from: ecliptic, to: galactic, out: g}", "rotate: {alm: g, to: ecliptic, out: again}"]
    outputs = [*(f"o{i}" for i in range(len(ALGEBRA))), "windowed", *(f"r_{lmax}_{mmax}" for lmax, mmax in SIZES), "direct",
               "regridded", "coarse", "tilted", "back", "said", "known", "ecliptic", "again"]
    place.job("inputs:\n" + "".join(f"  {name}: {{alm: {name}.h5}}\n" for name in ("a", "b", "teb", "galactic")) + "steps:\n"
              + "".join(f"  - {step}\n" for step in steps) + "outputs:\n"
              + "".join(f"  {name}: {{file: {name}.out.h5}}\n" for name in outputs))
    result = place.armilla("run", "job.yaml", ranks=request.param, timeout=600)
    assert result.code == 0, result.error
    return place


def read(place, name, kind="alm"):
    with h5py.File(place.folder / f"{name}.out.h5") as file:
        return file[kind][:], dict(file[kind].attrs)


class TestSteps:
    # claims: step scale, step add, step multiply
    @pytest.mark.parametrize("i", range(len(ALGEBRA)), ids=list(ALGEBRA))
    def test_algebra(self, computed, i):
        l, _ = positions(LMAX, LMAX)
        expected = list(ALGEBRA.values())[i](computed.a, computed.b, l)
        # Powers and windows may differ by rounding.
        assert np.allclose(read(computed, f"o{i}")[0], expected, rtol=1e-15, atol=0)

    def test_a_window_for_each_field(self, computed):
        l, _ = positions(LMAX, LMAX)
        assert np.allclose(read(computed, "windowed")[0], computed.teb * computed.windows[:, l], rtol=1e-15, atol=0)

    # claims: step resize
    def test_resize(self, computed):
        known = {pair: computed.teb[:, i] for i, pair in enumerate(zip(*positions(LMAX, LMAX)))}
        for lmax, mmax in SIZES:
            found, said = read(computed, f"r_{lmax}_{mmax}")
            expected = [known.get(pair, np.zeros(3)) for pair in zip(*positions(lmax, mmax))]
            assert np.array_equal(found, np.array(expected).T)
            assert (said["LMAX"], said["MMAX"]) == (lmax, mmax)

    # claims: step regrid
    def test_regrid(self, computed):
        direct, regridded, coarse = (read(computed, name, "map")[0][0] for name in ("direct", "regridded", "coarse"))
        assert np.allclose(direct, regridded, rtol=0, atol=1e-13 * np.abs(direct).max())
        assert np.abs(coarse - direct).max() > 0.1

    def test_rotate_there_and_back(self, computed):
        tilted, said = read(computed, "tilted")
        assert np.linalg.norm(tilted - computed.teb) > 0.1 * np.linalg.norm(computed.teb)
        assert "COORDSYS" not in said  # axes of nobody
        np.testing.assert_allclose(read(computed, "back")[0], computed.teb, atol=1e-13)

    def test_coordinates_may_be_those_of_the_file(self, computed):
        """The coefficients are compared with healpy's in test_healpy_files.py."""
        for name, letter in (("said", "C"), ("known", "C"), ("ecliptic", "E")):
            assert read(computed, name)[1]["COORDSYS"] in (letter, letter.encode())
        assert np.array_equal(read(computed, "said")[0], read(computed, "known")[0])
        assert np.linalg.norm(read(computed, "ecliptic")[0] - read(computed, "known")[0]) > 0.1

    def test_the_field_says_where_it_is_where_the_file_does_not(self, computed):
        found, said = read(computed, "again")
        np.testing.assert_allclose(found, computed.a, atol=1e-13)
        assert said["COORDSYS"] in ("E", b"E")


CONVENTIONS = [(norm, phase, basis) for norm in ("orthonormal", "4pi", "schmidt", "unnormalised")
               for phase in ("condon-shortley", "none") for basis in ("complex", "real")]


class TestConventions:
    def test_there_and_back(self, place):
        a = write_alm(place, "a.h5")
        names = [f"c{i}" for i in range(len(CONVENTIONS))]

        def written(inputs, outputs):
            place.job("inputs:\n" + "".join(f"  {name}: {{alm: {inputs(name)}}}\n" for name in names) + "outputs:\n"
                      + "".join(f"  {name}: {{file: {outputs(name, *said)}}}\n" for name, said in zip(names, CONVENTIONS)))
            result = place.armilla("run", "job.yaml")
            assert result.code == 0, result.error

        written(lambda name: "a.h5", lambda name, norm, phase, basis:
                f"{name}.out.h5, convention: {{norm: {norm}, phase: {phase}, basis: {basis}}}")
        written(lambda name: f"{name}.out.h5", lambda name, *said: f"back_{name}.out.h5")
        l, m = positions(LMAX, LMAX)
        for name, said in zip(names, CONVENTIONS):
            found, attributes = read(place, name)
            assert tuple(attributes[key] for key in ("NORM", "PHASE", "BASIS")) == said
            if said == ("4pi", "none", "real"):  # geodesy's coefficients C_lm and S_lm
                expected = (-1.0) ** m * np.where(m > 0, np.sqrt(2), 1) * a.conj() / np.sqrt(4 * np.pi)
                assert np.allclose(found, expected, rtol=1e-15, atol=0)
            back, attributes = read(place, f"back_{name}")
            assert np.allclose(back, a, rtol=1e-15, atol=0)
            assert attributes["NORM"] == "orthonormal"

    def test_the_job_says_what_the_file_does_not(self, place):
        a = write_alm(place, "a.h5")
        found, _ = result_of(place, {"out": "a.h5, convention: {norm: 4pi}"}, [])
        assert np.allclose(found, np.sqrt(4 * np.pi) * a, rtol=1e-15, atol=0)

    def test_inspect_and_convert_know_them(self, place):
        a = write_alm(place, "a.h5", NORM="schmidt", PHASE="none", BASIS="real")
        assert "schmidt, no Condon-Shortley phase, real" in place.armilla("inspect", "a.h5").out
        assert place.armilla("convert", "a.h5", "b.h5").code == 0
        found, _ = result_of(place, {"out": "a.h5"}, [])
        with h5py.File(place.folder / "b.h5") as file:
            assert np.array_equal(file["alm"][:], found)
        assert not np.array_equal(found, a)

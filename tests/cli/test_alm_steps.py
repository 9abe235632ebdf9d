"""What steps on a_lm do (multiply, scale, add, resize, regrid, rotate), and the conventions of files, as a user sees them."""
import h5py
import numpy as np
import pytest

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


@pytest.mark.parametrize("ranks", [1, 3])
class TestSteps:
    def test_scale(self, place, ranks):
        a = write_alm(place, "a.h5")
        found, _ = result_of(place, {"a": "a.h5"}, ["scale: {alm: a, factor: -2.5e3, out: out}"], ranks=ranks)
        assert np.array_equal(found, -2.5e3 * a)

    def test_add(self, place, ranks):
        a, b = write_alm(place, "a.h5"), write_alm(place, "b.h5", seed=2)
        inputs = {"a": "a.h5", "b": "b.h5"}
        found, _ = result_of(place, inputs, ["add: {alm: a, with: b, out: out}"], ranks=ranks)
        assert np.array_equal(found, a + b)
        found, _ = result_of(place, inputs, ["add: {alm: a, with: b, factors: [2, -0.5], out: out}"], ranks=ranks)
        assert np.array_equal(found, 2 * a - 0.5 * b)
        found, _ = result_of(place, {"a": "a.h5"}, ["add: {alm: a, with: a, factors: [2, -4], out: out}"], ranks=ranks)
        assert np.array_equal(found, -2 * a)

    def test_operands_stay_as_they_are_while_they_are_needed(self, place, ranks):
        a = write_alm(place, "a.h5")
        steps = ["scale: {alm: a, factor: 3, out: b}", "add: {alm: a, with: b, out: out}"]
        found, _ = result_of(place, {"a": "a.h5"}, steps, ranks=ranks)
        assert np.array_equal(found, 4 * a)

    def test_multiply_by_a_band_and_by_powers_of_the_laplacian(self, place, ranks):
        a = write_alm(place, "a.h5")
        l, _ = positions(LMAX, LMAX)
        found, _ = result_of(place, {"a": "a.h5"}, ["multiply: {alm: a, by: {l_range: [3, 7]}, out: out}"], ranks=ranks)
        assert np.array_equal(found, a * ((l >= 3) & (l <= 7)))
        found, _ = result_of(place, {"a": "a.h5"}, ["multiply: {alm: a, by: {laplacian_power: 1}, out: out}"], ranks=ranks)
        assert np.allclose(found, a * (l * (l + 1)), rtol=1e-15, atol=0)
        found, _ = result_of(place, {"a": "a.h5"}, ["multiply: {alm: a, by: {laplacian_power: -1}, out: out}"], ranks=ranks)
        assert np.allclose(found, a / np.where(l > 0, l * (l + 1), np.inf), rtol=1e-15, atol=0)

    def test_multiply_by_a_window(self, place, ranks):
        fields = ("T", "E", "B")
        a = write_alm(place, "a.h5", fields=fields)
        l, _ = positions(LMAX, LMAX)
        degrees = np.arange(LMAX + 3)
        windows = {"T": 1 / (degrees + 1), "E": np.exp(-degrees / 5), "B": np.cos(degrees)}
        rows = np.column_stack([degrees, *windows.values()])
        np.savetxt(place.folder / "window.dat", rows, fmt="%d" + " %.17g" * 3, header="L T E B")
        found, _ = result_of(place, {"a": "a.h5"}, ["multiply: {alm: a, by: {window: window.dat}, out: out}"], ranks=ranks)
        assert np.allclose(found, a * np.array([windows[name][l] for name in fields]), rtol=1e-15, atol=0)
        np.savetxt(place.folder / "window.dat", rows[:, :2], fmt="%d %.17g", header="L beam")
        found, _ = result_of(place, {"a": "a.h5"}, ["multiply: {alm: a, by: {window: window.dat}, out: out}"], ranks=ranks)
        assert np.allclose(found, a * windows["T"][l], rtol=1e-15, atol=0)

    @pytest.mark.parametrize("lmax, mmax", [(5, 5), (12, 4), (20, 12), (20, 17), (30, 2), (0, 0)])
    def test_resize(self, place, ranks, lmax, mmax):
        a = write_alm(place, "a.h5", fields=("T", "E", "B"))
        step = f"resize: {{alm: a, lmax: {lmax}, mmax: {mmax}, out: out}}"
        found, said = result_of(place, {"a": "a.h5"}, [step], ranks=ranks)
        known = {pair: a[:, i] for i, pair in enumerate(zip(*positions(LMAX, LMAX)))}
        expected = [known.get(pair, np.zeros(3)) for pair in zip(*positions(lmax, mmax))]
        assert np.array_equal(found, np.array(expected).T)
        assert (said["LMAX"], said["MMAX"]) == (lmax, mmax)

    def test_regrid(self, place, ranks):
        """A band-limited map through coefficients is the map that synthesis would have drawn there."""
        write_alm(place, "a.h5")
        place.job("inputs:\n  a: {alm: a.h5}\nsteps:\n"
                  "  - synthesis: {alm: a, grid: {gauss: {nlat: 16}}, out: gauss}\n"
                  "  - synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: direct}\n"
                  "  - regrid: {map: gauss, grid: {healpix: {nside: 8}}, out: regridded}\n"
                  "  - regrid: {map: gauss, grid: {healpix: {nside: 8}}, lmax: 5, out: coarse}\n"
                  "outputs:\n  direct: {file: direct.h5}\n  regridded: {file: regridded.h5}\n  coarse: {file: coarse.h5}\n")
        result = place.armilla("run", "job.yaml", ranks=ranks)
        assert result.code == 0, result.error
        maps = [h5py.File(place.folder / f"{name}.h5")["map"][0] for name in ("direct", "regridded", "coarse")]
        assert np.allclose(maps[0], maps[1], rtol=0, atol=1e-13 * np.abs(maps[0]).max())
        assert np.abs(maps[2] - maps[0]).max() > 0.1


class TestConventions:
    @pytest.mark.parametrize("norm", ["orthonormal", "4pi", "schmidt", "unnormalised"])
    @pytest.mark.parametrize("phase", ["condon-shortley", "none"])
    @pytest.mark.parametrize("basis", ["complex", "real"])
    def test_there_and_back(self, place, norm, phase, basis):
        a = write_alm(place, "a.h5")
        asked = f", convention: {{norm: {norm}, phase: {phase}, basis: {basis}}}"
        found, said = result_of(place, {"out": "a.h5"}, [], convention=asked, ranks=2)
        assert (said["NORM"], said["PHASE"], said["BASIS"]) == (norm, phase, basis)
        l, m = positions(LMAX, LMAX)
        if norm == "4pi" and phase == "none" and basis == "real":  # geodesy's coefficients C_lm and S_lm
            expected = (-1.0) ** m * np.where(m > 0, np.sqrt(2), 1) * a.conj() / np.sqrt(4 * np.pi)
            assert np.allclose(found, expected, rtol=1e-15, atol=0)
        (place.folder / "out.h5").rename(place.folder / "other.h5")
        back, said = result_of(place, {"out": "other.h5"}, [])
        assert np.allclose(back, a, rtol=1e-15, atol=0)
        assert said["NORM"] == "orthonormal"

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


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("inputs, step, parts", [
    ({"a": "a.h5"}, "scale: {alm: a, factor: .nan, out: out}", ["scale.factor = .nan is not finite"]),
    ({"a": "a.h5"}, "scale: {alm: a, factor: two, out: out}", ["scale.factor = two is not a number"]),
    ({"a": "a.h5", "b": "small.h5"}, "add: {alm: a, with: b, out: out}",
     ["add.with = b has lmax 5, mmax 5, but 'a' has lmax 12, mmax 12: make them equal"]),
    ({"a": "a.h5", "b": "polar.h5"}, "add: {alm: a, with: b, out: out}", ["add.with = b has the fields E, B"]),
    ({"a": "a.h5", "b": "kelvin.h5"}, "add: {alm: a, with: b, out: out}", ["has units 'K'", "scale one of them"]),
    ({"a": "a.h5"}, "add: {alm: a, with: a, factors: [1], out: out}", ["factors", "is not a list of two numbers"]),
    ({"a": "a.h5"}, "multiply: {alm: a, by: {l_range: [7, 3]}, out: out}", ["l_range", "contains no l"]),
    ({"a": "a.h5"}, "multiply: {alm: a, by: {window: short.dat}, out: out}",
     ["by.window = ", "short.dat ends at l = 4", "lmax = 12"]),
    ({"a": "polar.h5"}, "multiply: {alm: a, by: {window: two.dat}, out: out}", ["has the columns T, TT, but none for E"]),
    ({"a": "a.h5"}, "multiply: {alm: a, by: {window: none.dat}, out: out}", ["multiply.by.window", "none.dat"]),
    ({"a": "a.h5"}, "multiply: {alm: a, by: {window: short.dat, l_range: [1, 2]}, out: out}", ["has 2 functions of l"]),
    ({"a": "a.h5"}, "multiply: {alm: a, by: {beam: 3}, out: out}", ["unknown key 'beam'"]),
    ({"a": "a.h5"}, "resize: {alm: a, lmax: 3, mmax: 4, out: out}", ["resize.mmax = 4 exceeds lmax = 3"]),
    ({"a": "a.h5, convention: {norm: 3pi}"}, None, ["convention.norm = 3pi is not valid: expected one of orthonormal, 4pi"]),
    ({"a": "says.h5, convention: {norm: 4pi}"}, None, ["convention.norm = 4pi contradicts", "specifies 'schmidt'"]),
    ({"a": "polar.h5, convention: {norm: unnormalised}"}, None, ["'a' has components of spin 2"]),
    ({"a": "large.h5, convention: {norm: unnormalised}"}, None, ["lmax = 151 exceed the range of double"]),
])
def test_bad_input(place, ranks, inputs, step, parts):
    write_alm(place, "a.h5", UNITS="uK")
    write_alm(place, "kelvin.h5", UNITS="K")
    write_alm(place, "small.h5", lmax=5, mmax=5)
    write_alm(place, "polar.h5", fields=("E", "B"))
    write_alm(place, "says.h5", NORM="schmidt")
    write_alm(place, "large.h5", lmax=151, mmax=1)
    np.savetxt(place.folder / "short.dat", [[0, 1], [1, 1], [2, 1], [3, 1], [4, 1]], fmt="%d %g", header="L T")
    np.savetxt(place.folder / "two.dat", [[l, 1, 1] for l in range(20)], fmt="%d %g %g", header="L T TT")
    place.remember()
    done = run(place, inputs, [step] if step else [], "out" if step else "a", ranks)
    assert done.code == 2, done.error
    assert len(done.errors()) == 1, done.error
    for part in parts:
        assert part in done.errors()[0]
    assert not (place.folder / "out.h5").exists()


@pytest.mark.parametrize("file, convention, parts", [
    ("out.fits", "{norm: 4pi}", ["out.fits cannot record the convention of its coefficients (4pi", "write .h5"]),
    ("out.h5, precision: single", "{norm: unnormalised}", ["norm = unnormalised exceeds the range of single precision"]),
])
def test_outputs_that_cannot_hold_a_convention(place, file, convention, parts):
    write_alm(place, "a.h5")
    place.job(f"inputs:\n  a: {{alm: a.h5}}\noutputs:\n  a: {{file: {file}, convention: {convention}}}\n")
    done = place.armilla("run", "job.yaml")
    assert done.code == 2
    for part in parts:
        assert part in done.errors()[0]


@pytest.mark.parametrize("ranks", [1, 3])
class TestRotate:
    def test_there_and_back(self, place, ranks):
        a = write_alm(place, "a.h5", fields=("T", "E", "B"), COORDSYS="G")
        tilted, said = result_of(place, {"a": "a.h5, fields: [T, E, B]"},
                                 ["rotate: {alm: a, euler_deg: [10, 20, 30], out: out}"], ranks=ranks)
        assert np.linalg.norm(tilted - a) > 0.1 * np.linalg.norm(a)
        assert "COORDSYS" not in said  # axes of nobody
        back, _ = result_of(place, {"a": "a.h5, fields: [T, E, B]"},
                            ["rotate: {alm: a, euler_deg: [10, 20, 30], out: b}",
                             "rotate: {alm: b, euler_deg: [-30, -20, -10], out: out}"], ranks=ranks)
        np.testing.assert_allclose(back, a, atol=1e-13)

    def test_coordinates_are_those_of_healpy(self, place, ranks):
        healpy = pytest.importorskip("healpy")
        a = write_alm(place, "a.h5", COORDSYS="G")
        for letter, name in (("C", "equatorial"), ("E", "ecliptic")):
            expected = healpy.Rotator(coord=["G", letter]).rotate_alm(a[0], lmax=LMAX)
            for step in (f"rotate: {{alm: a, from: galactic, to: {name}, out: out}}",
                         f"rotate: {{alm: a, to: {name}, out: out}}"):
                found, said = result_of(place, {"a": "a.h5"}, [step], ranks=ranks)
                np.testing.assert_allclose(found[0], expected, atol=1e-12)
                assert said["COORDSYS"] in (letter, letter.encode())

    def test_the_field_says_where_it_is_where_the_file_does_not(self, place, ranks):
        a = write_alm(place, "a.h5")
        found, said = result_of(place, {"a": "a.h5"}, ["rotate: {alm: a, from: ecliptic, to: galactic, out: g}",
                                                       "rotate: {alm: g, to: ecliptic, out: out}"], ranks=ranks)
        np.testing.assert_allclose(found, a, atol=1e-13)
        assert said["COORDSYS"] in ("E", b"E")

    @pytest.mark.parametrize("step, part", [
        ("{alm: a, euler_deg: [1, 2], out: out}", "has 2 angles instead of three: expected [psi, theta, phi]"),
        ("{alm: a, euler_deg: [1, .nan, 3], out: out}", "euler_deg[1]"),
        ("{alm: a, euler_deg: [1, 2, 3], to: ecliptic, out: out}", "to = ecliptic cannot be combined with 'euler_deg'"),
        ("{alm: a, from: ecliptic, out: out}", "has neither angles nor coordinates: set euler_deg"),
        ("{alm: a, to: supergalactic, out: out}", "to = supergalactic is not valid: expected one of galactic, ecliptic, equatorial"),
        ("{alm: a, from: ecliptic, to: equatorial, out: out}",
         "from = ecliptic contradicts COORDSYS = G of 'a' (galactic): remove 'from', or correct the file"),
        ("{alm: narrow, euler_deg: [1, 2, 3], out: out}",
         "alm = narrow has mmax = 3 below lmax = 12, but rotated coefficients have all m: use alm with mmax = lmax"),
        ("{alm: nowhere, to: ecliptic, out: out}", "alm = nowhere does not specify its coordinates (COORDSYS)"),
    ])
    def test_bad_input(self, place, ranks, step, part):
        write_alm(place, "a.h5", COORDSYS="G")
        write_alm(place, "narrow.h5", mmax=3)
        write_alm(place, "nowhere.h5")
        inputs = {"a": "a.h5", "narrow": "narrow.h5", "nowhere": "nowhere.h5"}
        done = run(place, inputs, [f"rotate: {step}"], "out", ranks)
        assert done.code == 2
        assert len(done.errors()) == 1
        assert "job.yaml:" in done.errors()[0]
        assert part in done.errors()[0], done.errors()[0]

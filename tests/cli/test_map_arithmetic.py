"""Arithmetic on the pixels of maps: scale, add, multiply, units, and pixels that stay bad."""
import h5py
import numpy as np
import pytest

from conftest import Workplace
from tiers import sweep

BAD = -1.6375e30
PIXELS = 12 * 4 * 4


def run(place, *arguments, code=0, **more):
    result = place.armilla(*arguments, **more)
    assert result.code == code, result.error
    return result


def read(place, name, dataset="map"):
    with h5py.File(place.folder / name) as file:
        units = file[dataset].attrs.get("UNITS", "")
        return file[dataset][:], list(units) if np.ndim(units) else units


def units_of(place, name, dataset="map"):
    """The set of units of the components."""
    units = read(place, name, dataset)[1]
    listed = units if isinstance(units, list) else units.split(",")
    return {unit.decode() if isinstance(unit, bytes) else unit for unit in listed}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """sky.h5 (K) and other.h5 (uK), maps T, Q, U of nside 4 with bad pixels 3 and 5; weight.h5, one component."""
    place = Workplace(tmp_path_factory.mktemp("arithmetic"))
    place.map("sky.h5", 4, 3, lambda values: values.__setitem__((slice(None), 3), BAD), UNITS="K,K,K", COORDSYS="G")
    place.map("other.h5", 4, 3, lambda values: (values.__imul__(1e6), values.__setitem__((0, 5), np.nan)), UNITS="uK,uK,uK",
              COORDSYS="G")
    place.map("weight.h5", 4, 1, lambda values: values.__setitem__(slice(None), np.arange(PIXELS) % 7))
    place.map("t.h5", 4, 1, UNITS="K")
    return place.folder


@pytest.fixture
def sky(files, place):
    import shutil
    shutil.copytree(files, place.folder, dirs_exist_ok=True)
    place.remember()
    return place


def expect(place, name, expected, bad):
    """Compares with `expected` to a rounding for each of two products and a sum."""
    values = read(place, name)[0]
    assert np.array_equal(values == BAD, bad)
    assert np.allclose(values[~bad], expected[~bad], rtol=8e-16, atol=8e-16 * np.max(np.abs(expected[~bad])))


def bad_pixels(*values):
    return np.logical_or.reduce([np.broadcast_to(~(np.abs(value) < 1e29), values[0].shape) for value in values])


class TestPixelByPixel:
    # claims: step scale
    def test_scale(self, sky):
        before = read(sky, "sky.h5")[0]
        result = run(sky, "scale", "sky.h5", "--factor", 2.5, "-o", "out.h5")
        assert "analysed" not in result.error
        expect(sky, "out.h5", 2.5 * before, bad_pixels(before))
        assert units_of(sky, "out.h5") == {"K"}

    # claims: step add
    @pytest.mark.parametrize("ranks", [0, *sweep(3)])
    def test_add_converts_units(self, sky, ranks):
        a, b = read(sky, "sky.h5")[0], read(sky, "other.h5")[0]
        run(sky, "add", "sky.h5", "--with", "other.h5", "--factors", "1,-3", "-o", "out.h5", "--quiet", ranks=ranks)
        expect(sky, "out.h5", a - 3e-6 * b, bad_pixels(a, b))
        assert units_of(sky, "out.h5") == {"K"}
        run(sky, "add", "sky.h5", "--with", "other.h5", "--units", "mK", "-o", "out.fits", "--quiet", ranks=ranks)
        run(sky, "scale", "out.fits", "--factor", 1, "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", 1e3 * a + 1e-3 * b, bad_pixels(a, b))
        assert units_of(sky, "out.h5") == {"mK"}

    def test_add_of_a_number(self, sky):
        values = read(sky, "t.h5")[0]
        run(sky, "add", "t.h5", "--number", -2, "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", values - 2, bad_pixels(values))

    # claims: step multiply
    def test_multiply(self, sky):
        a, weight = read(sky, "sky.h5")[0], read(sky, "weight.h5")[0]
        run(sky, "multiply", "sky.h5", "--with", "weight.h5", "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", a * weight, bad_pixels(a))
        assert units_of(sky, "out.h5") == {"K"}
        run(sky, "multiply", "sky.h5", "--with", "sky.h5", "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", a * a, bad_pixels(a))
        assert units_of(sky, "out.h5") == {"K^2"}

    def test_multiply_by_a_function_of_l_analyses(self, sky):
        said = run(sky, "multiply", "t.h5", "--by-l-range", "0,8", "-o", "out.h5").error
        assert "t.h5 is a map and is analysed first" in said and read(sky, "out.h5")[0].shape == (1, PIXELS)

    def test_many_maps_with_a_shared_weight(self, sky):
        for i in range(3):
            sky.map(f"m_{i}.h5", 4, 1, lambda values: values.__iadd__(i))
        run(sky, "multiply", "m_{0..2}.h5", "--with", "weight.h5", "-o", "p_{}.h5", "--quiet")
        for i in range(3):
            expected = read(sky, f"m_{i}.h5")[0] * read(sky, "weight.h5")[0]
            assert np.array_equal(read(sky, f"p_{i}.h5")[0], expected)

    def test_single_precision(self, sky):
        values = read(sky, "sky.h5")[0]
        run(sky, "scale", "sky.h5", "--units", "uK", "--precision", "single", "-o", "out.h5", "--quiet")
        found = read(sky, "out.h5")[0]
        good = ~bad_pixels(values)
        assert np.allclose(found[good], 1e6 * values[good], rtol=2e-7) and np.allclose(found[~good], BAD, rtol=1e-6)


class TestUnits:
    def test_scale_to_a_unit(self, sky):
        values = read(sky, "sky.h5")[0]
        run(sky, "scale", "sky.h5", "--units", "uK", "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", 1e6 * values, bad_pixels(values))
        assert units_of(sky, "out.h5") == {"uK"}

    def test_a_factor_that_may_be_a_conversion(self, sky):
        result = run(sky, "scale", "t.h5", "--factor", "1e6", "-o", "out.h5")
        assert "leaves the unit K as it is. If the factor converts it, set --units to the new unit" in result.error
        assert units_of(sky, "out.h5") == {"K"}
        result = run(sky, "scale", "t.h5", "--factor", "1e6", "--units", "uK", "-o", "out.h5")
        assert "leaves the unit" not in result.error and units_of(sky, "out.h5") == {"uK"}

    def test_outputs(self, sky):
        sky.job("inputs:\n  t: {map: t.h5}\nsteps:\n"
                "  - analysis: {map: t, lmax: 8, out: a}\n  - spectra: {alm: a, out: cl}\n"
                "outputs:\n  t: {file: t_uk.h5, units: uK}\n  a: {file: a_mk.fits, units: mK}\n"
                "  cl: {file: cl_uk.h5, units: uK^2}\n")
        run(sky, "run", "job.yaml", "--quiet")
        values = read(sky, "t.h5")[0]
        expect(sky, "t_uk.h5", 1e6 * values, bad_pixels(values))
        assert units_of(sky, "t_uk.h5") == {"uK"} and units_of(sky, "cl_uk.h5", "cl") == {"uK^2"}
        run(sky, "spectra", "a_mk.fits", "-o", "cl.h5", "--quiet")
        assert units_of(sky, "cl.h5", "cl") == {"mK^2"}
        # Sums of 9 squares, and conversions.
        assert np.allclose(read(sky, "cl_uk.h5", "cl")[0], 1e6 * read(sky, "cl.h5", "cl")[0], rtol=1e-14)


class TestBadPixels:
    def test_other_steps_need_good_pixels(self, sky):
        sky.job("inputs:\n  m: {map: sky.h5, bad_data: keep}\nsteps:\n  - analysis: {map: m, lmax: 4, out: a}\n"
                "outputs:\n  a: {file: a.h5}\n")
        result = run(sky, "run", "job.yaml", code=2)
        assert "steps[0].analysis.map = m has bad pixels, which this step cannot use" in result.errors()[0]

    def test_a_mask_marks_them(self, sky):
        values, weight = read(sky, "sky.h5")[0], read(sky, "weight.h5")[0]
        run(sky, "mask", "sky.h5", "--mask", "weight.h5", "--outside", "bad", "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", values * weight, bad_pixels(values) | (weight == 0))
        run(sky, "mask", "sky.h5", "--mask", "weight.h5", "-o", "out.h5", "--quiet")
        expect(sky, "out.h5", np.where(weight == 0, 0, values * weight), bad_pixels(values) & (weight != 0))

    def test_overflow_is_not_a_bad_pixel(self, sky):
        said = run(sky, "scale", "sky.h5", "--factor", "1e308", "-o", "out.h5", code=2).errors()[0]
        assert "'result' has" in said and "infinite" in said


@pytest.mark.parametrize("arguments, part", [
    (["add", "sky.h5", "--with", "weight.h5"], "--with = weight.h5 has the fields T, but sky.h5 has T, Q, U"),
    (["add", "t.h5", "--with", "weight.h5"], "--with = weight.h5 has no units, but t.h5 has the units K"),
    (["add", "sky.h5", "--number", 3], "--number = 3 is a scalar, but sky.h5 has the components T, Q, U"),
    (["scale", "weight.h5", "--units", "uK"], "--units = uK has no unit to convert from"),
    (["scale", "t.h5", "--units", "m"], "--units = m cannot be converted from K"),
    (["scale", "t.h5"], "needs --factor, a number, or --units, to which it converts"),
    (["multiply", "t.h5", "--with", "sky.h5"], "or swap the two maps"),
    (["multiply", "t.h5"], "lacks --with: name the map to multiply with"),
], ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "")
def test_what_is_refused(sky, arguments, part):
    errors = run(sky, *arguments, "-o", "out.h5", code=2).errors()
    assert len(errors) == 1 and part in errors[0] and sky.leftovers() == []

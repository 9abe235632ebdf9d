"""Objects: arrays with what they are."""
import copy
import pickle

import armilla
import numpy as np
import pytest


def objects():
    random = np.random.default_rng(2)
    points = armilla.Points([0.1, 0.2, 3.0], [0.0, 1.0, 6.0], coordsys="C")
    return [
        armilla.Map(random.standard_normal((3, 48)), units="uK", coordsys="G"),
        armilla.Map(random.standard_normal((2, 1, 32)).astype(np.float32), grid="gauss:4:8", fields=["height"], units="m"),
        armilla.Alm(random.standard_normal((2, 21)) + 0j, fields=["E", "B"], units="uK"),
        armilla.Spectra(random.uniform(1, 2, (4, 6)), unit="uK^2"),
        armilla.Values(random.standard_normal((1, 3)), points),
    ]


BAD_VALUES = {
    "no maps": (lambda: armilla.Map(np.zeros((0, 1, 12))), "there are no maps"),
    "no spectra": (lambda: armilla.Spectra(np.zeros((0, 1, 4))), "use \\[spectrum\\]\\[l\\]"),
    "names of spectra": (lambda: armilla.Spectra([1.0, 2.0], [5]), "pass one name for each"),
    "lmax": (lambda: armilla.Alm(np.zeros(3, complex), lmax="2"), "lmax = '2': use an integer"),
    "mmax": (lambda: armilla.Alm(np.zeros(3, complex), mmax=-1), "mmax = -1: use 0 <= mmax"),
    "units": (lambda: armilla.Map(np.zeros(12), units=[5]), "units = \\[5\\]: use a text"),
    "coordsys": (lambda: armilla.Map(np.zeros(12), coordsys=["G"]), "coordsys = \\['G'\\]: use 'G'"),
    "other spectra": (lambda: armilla.Spectra(np.zeros((2, 3)), ["TT", "EE"]).with_values(np.zeros((1, 3))).write("a.txt"),
                      "the values have the shape \\(1, 3\\), but there are 2 components"),
    "other type": (lambda: armilla.Map(np.zeros(12)).with_values(np.zeros((1, 12), int)).write("a.h5"), "the values are int64"),
    "character 0": (lambda: armilla.Map(np.zeros(12)).write("a\0.h5"), "a character of value 0"),
    "path": (lambda: armilla.Map(np.zeros(12)).write("\udcff.h5"), "is not UTF-8"),
    "folder": (lambda: armilla.run("/"), "not a regular file"),
    "inputs": (lambda: armilla.run({"steps": []}, inputs=[1]), "pass a dict of objects"),
    "redistribution": (lambda: pickle.dumps(armilla.PixelRedistribution("healpix:1", [0])), "cannot be pickled"),
}


@pytest.mark.parametrize("name", BAD_VALUES)
def test_bad_values(name):
    call, text = BAD_VALUES[name]
    with pytest.raises(armilla.InputError, match=text):
        call()


def test_kernel_in_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(armilla.ResourceError, match="cannot be written: No such file"):
        armilla.Kernel([0.1], [1.0]).write(tmp_path / "none" / "kernel.txt")


def same(one, other):
    assert type(one) is type(other) and one.metadata == other.metadata and one.dtype == other.dtype
    np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize("value", objects(), ids=lambda value: type(value).__name__)
class TestObjects:
    def test_copies_and_pickles_are_equal_and_apart(self, value):
        for other in (value.copy(), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            same(value, other)
            assert not np.shares_memory(value.values, other.values)

    def test_numpy_takes_the_values_without_a_copy(self, value):
        assert np.asarray(value) is value.values
        assert np.asarray(value, np.complex128).dtype == np.complex128

    def test_files_come_back(self, value, tmp_path):
        if value.maps == 1:
            value.write(tmp_path / "file.h5")
            same(armilla.read(tmp_path / "file.h5", precision="single" if value.dtype == np.float32 else "double"), value)
            return
        value.write(tmp_path / "file_{}.h5")
        same(armilla.read(str(tmp_path / "file_*.h5"), sort=value.sort, precision="single"), value)

    def test_pictures_are_png(self, value):
        assert value._repr_png_().startswith(b"\x89PNG")

    def test_components_are_found_by_name(self, value):
        assert np.shares_memory(value[value.fields[-1]], value.values)
        np.testing.assert_array_equal(value[value.fields[-1]], value.values[..., -1, :])
        assert type(value).__name__ in repr(value) and value.fields[0] in repr(value)


def test_pictures_of_changed_objects_are_refused():
    sky = armilla.Map(np.zeros((2, 48)), fields=["Q", "U"])
    sky.units = ["K"]
    with pytest.raises(armilla.InputError, match="1 units for 2 components: specify one per component, or none"):
        sky._repr_png_()
    sky.units = []
    assert sky._repr_png_().startswith(b"\x89PNG")
    points = armilla.Points(np.linspace(0, 3, 1000), np.zeros(1000))
    values = armilla.Values(np.zeros(1000), points)
    points.phi = np.zeros(3)
    for value in (points, values):
        with pytest.raises(armilla.InputError, match="1000 values of theta, 3 of phi"):
            value._repr_png_()
    values.points = armilla.Points(np.zeros(2000), np.zeros(2000))
    with pytest.raises(armilla.InputError, match="2000 of phi and 1000 values in 1 components"):
        values._repr_png_()


def test_the_grid_of_healpix_and_the_limits_of_alm_follow_from_the_size():
    assert armilla.Map(np.zeros(12 * 5**2)).grid.text == "healpix:5"
    for lmax, mmax in ((0, 0), (7, 7), (31, 31)):
        alm = armilla.Alm(np.zeros((mmax + 1) * (2 * lmax - mmax + 2) // 2, complex))
        assert (alm.lmax, alm.mmax) == (lmax, mmax)
    for lmax, mmax in ((9, 0), (9, 4), (300, 7)):
        alm = armilla.Alm(np.zeros((mmax + 1) * (2 * lmax - mmax + 2) // 2, complex), mmax=mmax)
        assert (alm.lmax, alm.mmax) == (lmax, mmax)


def test_several_maps_are_taken_apart():
    many = armilla.Map(np.arange(2 * 48.0).reshape(2, 1, 48))
    assert [one.values[0, 0] for one in many] == [0, 48] and many[1].shape == (1, 48)


@pytest.mark.parametrize("make,words", [
    (lambda: armilla.Map(np.zeros(47)), "47 pixels are not those of a HEALPix map"),
    (lambda: armilla.Map(np.zeros(48), grid="gauss:4:8"), "has 32 pixels, but the values have 48"),
    (lambda: armilla.Map(np.zeros((4, 48))), "there are 4 components: name them with fields"),
    (lambda: armilla.Map(np.zeros((2, 48)), fields=["T"]), "but the values have 2 components"),
    (lambda: armilla.Map(np.zeros(48, complex)), "dtype complex128: use float32 or float64"),
    (lambda: armilla.Map(np.zeros(48, object)), "dtype object"),
    (lambda: armilla.Map(np.ma.zeros(48)), "masked array"),
    (lambda: armilla.Map([np.ma.zeros(48), np.zeros(48)]), "masked array"),
    (lambda: armilla.Map(armilla.Map(np.zeros(48), units="K")), "of type Map, whose names and units would be lost"),
    (lambda: armilla.Map([armilla.Map(np.zeros(48))] * 2), "a list of Map, whose names"),
    (lambda: armilla.Map("sky.fits"), "armilla.read() for a file"),
    (lambda: armilla.Map(np.zeros((48, 4))), "the values have the shape (48, 4): there are 48 components"),
    (lambda: armilla.Map(np.zeros((4, 48))), "several maps of one component are values[:, numpy.newaxis]"),
    (lambda: armilla.Map(np.zeros(48), coordsys="Q"), "coordsys = 'Q': use 'G' (galactic)"),
    (lambda: armilla.Points([1.0], [1.0], "J2000"), "coordsys = 'J2000'"),
    (lambda: armilla.Map(np.zeros(48), units=["K", "K"]), "pass one unit for each"),
    (lambda: armilla.Alm(np.zeros(20, complex)), "20 coefficients are not those of mmax = lmax"),
    (lambda: armilla.Alm(np.zeros(21, complex), lmax=9), "lmax = 9, mmax = 9 have 55 coefficients"),
    (lambda: armilla.Alm(np.zeros(21)), "dtype float64: use complex64 or complex128"),
    (lambda: armilla.Spectra(np.zeros((3, 5))), "there are 3 spectra: pass one name for each"),
    (lambda: armilla.Points([1.0], [1.0, 2.0]), "1 values of theta, but 2 of phi"),
    (lambda: armilla.Values(np.zeros(2), ([1.0], [1.0])), "there are 1 points, but the values have 2"),
    (lambda: armilla.Kernel([0.0, 1.0], [1.0]), "2 angles, but 1 values"),
])
def test_bad_values_are_refused(make, words):
    with pytest.raises(armilla.InputError) as caught:
        make()
    assert words in str(caught.value)


def test_distributed_objects_are_not_pickled():
    sky = armilla.Map(np.zeros(48), grid="healpix:2", comm=object())
    with pytest.raises(armilla.InputError, match="distributed over ranks"):
        pickle.dumps(sky)


def test_values_of_other_byte_orders_keep_their_precision():
    values = np.arange(48.0)
    for dtype in (">f4", ">f8"):
        sky = armilla.Map(values.astype(dtype))
        assert sky.dtype == np.dtype(dtype).newbyteorder("=") and np.array_equal(sky["T"], values)
        assert armilla.analysis(values.astype(dtype), lmax=2).dtype.itemsize == 2 * sky.dtype.itemsize
    assert armilla.Alm(np.ones(6, ">c8")).dtype == np.complex64


def test_coordinates_have_names_too():
    assert armilla.Map(np.zeros(48), coordsys="galactic").coordsys == "G"
    assert armilla.Points([1.0], [1.0], "equatorial").coordsys == "C"


@pytest.mark.parametrize("value", objects(), ids=lambda value: type(value).__name__)
def test_operators_say_what_to_use(value):
    for operation in (lambda: value - value, lambda: 2 * value, lambda: value / 2, lambda: -value):
        with pytest.raises(TypeError, match=r"armilla.add\(\), multiply\(\) and scale\(\)"):
            operation()
    np.testing.assert_array_equal(value - value.values, 0 * value.values)
    np.testing.assert_array_equal(np.abs(value), np.abs(value.values))


def test_representations_have_each_unit_and_tell_parts():
    one = armilla.Map(np.zeros((3, 48)), units="K")
    other = armilla.Map(np.zeros((3, 48)), units=["K", "K", "mK"])
    assert "T,Q,U [K]," in repr(one) and "T,Q,U [K, K, mK]," in repr(other)
    part = armilla.Map(np.zeros((3, 40)), grid="healpix:2", comm=object())
    assert "distributed" in repr(part) and "distributed" not in repr(one)


def test_values_without_maps_or_components_are_refused():
    for make in (lambda: armilla.Spectra(np.zeros((0, 1, 5)), ["TT"]), lambda: armilla.Spectra(np.zeros((0, 5)), []),
                 lambda: armilla.Map(np.zeros((0, 1, 12))), lambda: armilla.Alm(np.zeros((0, 3), complex), fields=[])):
        with pytest.raises(armilla.InputError):
            make()
    with pytest.raises(armilla.InputError, match="float128|longdouble"):
        armilla.Map(np.ones(12, np.longdouble))


def test_micro_is_a_letter_of_fits(tmp_path):
    armilla.Map(np.ones(12), units="\u00b5K").write(tmp_path / "sky.fits")
    assert armilla.read(tmp_path / "sky.fits").units == ["uK"]
    for unit in "\u00b0", "K" * 69:
        with pytest.raises(armilla.InputError, match=f"cannot hold the unit '{unit}'"):
            armilla.Map(np.ones(12), units=unit).write(tmp_path / "sky.fits")
        armilla.Map(np.ones(12), units=unit).write(tmp_path / "sky.h5")
        assert armilla.read(tmp_path / "sky.h5").units == [unit]

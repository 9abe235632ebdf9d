"""Files become the objects that they hold."""
import armilla
import numpy as np
import pytest
from program import DATA
from program import armilla as program

healpy = pytest.importorskip("healpy")


def test_maps_of_wmap_are_those_of_healpy():
    path = DATA / "wmap" / "wmap7_V_iqu_nside32.fits"
    sky = armilla.read(path)
    assert (sky.grid.text, sky.fields) == ("healpix:32", ["T", "Q", "U"])
    np.testing.assert_array_equal(sky.values, healpy.read_map(path, field=(0, 1, 2), dtype=np.float64))
    assert armilla.read(path, fields=["Q", "U"]).fields == ["Q", "U"]
    assert armilla.read(path, precision="single").dtype == np.float32


def test_coefficients_are_those_of_healpy(tmp_path):
    alm = np.random.default_rng(3).standard_normal(66) * (1 + 1j)
    alm[:11] = alm[:11].real
    healpy.write_alm(str(tmp_path / "alm.fits"), alm)
    found = armilla.read(tmp_path / "alm.fits")
    assert (found.lmax, found.mmax) == (10, 10)
    np.testing.assert_array_equal(found.values[0], alm)
    assert armilla.read(tmp_path / "alm.fits", lmax=4).lmax == 4


def test_spectra_of_text_files_need_their_kind():
    path = DATA / "spectra" / "FFP10_wdipole_lensedCls.dat"
    with pytest.raises(armilla.InputError, match="spectrum_kind"):
        armilla.read(path)
    cl = armilla.read(path, spectrum_kind="dl")
    rows = np.loadtxt(path)
    degree = rows[:, 0]
    first = int(degree[0])
    np.testing.assert_allclose(cl["TT"][first:], rows[:, 1] * 2 * np.pi / (degree * (degree + 1)), rtol=1e-14)


def test_windows_are_functions_of_l():
    window = armilla.read(DATA / "foreign" / "beam_teb.fits")
    assert window.names == ["T", "E", "B"]


def test_points_values_and_tables(tmp_path):
    (tmp_path / "points.csv").write_text("RA,DEC\n10,20\n30,-40\n")
    (tmp_path / "values.csv").write_text("RA,DEC,T\n10,20,1.5\n30,-40,2.5\n")
    (tmp_path / "kernel.txt").write_text("0 1\n0.2 0.5\n0.4 0\n")
    points = armilla.read(tmp_path / "points.csv")
    np.testing.assert_allclose(np.degrees([points.theta, points.phi]), [[70, 130], [10, 30]], rtol=1e-15)
    values = armilla.read(tmp_path / "values.csv")
    assert values.coordsys == "C" and list(values["T"]) == [1.5, 2.5]
    kernel = armilla.read(tmp_path / "kernel.txt", sort="table")
    assert list(kernel.values) == [1, 0.5, 0]
    kernel.write(tmp_path / "again.txt")
    np.testing.assert_array_equal(armilla.read(tmp_path / "again.txt", sort="table"), kernel)
    sky = armilla.Map(np.random.default_rng(1).standard_normal(12 * 32**2))
    expected = armilla.convolve(sky, kernel={"table": {"file": tmp_path / "kernel.txt"}})
    for table in (kernel, np.array(kernel)):
        found = armilla.convolve(sky, kernel={"table": {"file": table}})
        np.testing.assert_array_equal(found.values, expected.values)


def test_a_pattern_and_a_batch_axis_are_several_maps(tmp_path):
    program(tmp_path, "random_alm", "--spectrum", DATA / "spectra" / "FFP10_wdipole_lensedCls.dat", "--spectrum-kind", "dl",
            "--fields", "T", "--lmax", "8", "--maps", "3", "-o", "many.h5")
    many = armilla.read(tmp_path / "many.h5")
    assert many.shape == (3, 1, 45)
    many.write(tmp_path / "one_{:02}.fits")
    for again in (armilla.read(str(tmp_path / "one_*.fits")), armilla.read(str(tmp_path / "one_{00..02}.fits"), "alm")):
        np.testing.assert_array_equal(again.values, many.values)
    with pytest.raises(armilla.InputError, match="there are 3 maps"):
        many.write(tmp_path / "one.fits")


def test_a_list_of_files_has_the_components_of_one_map(tmp_path):
    values = np.random.default_rng(4).standard_normal((2, 48))
    for name, one in zip(("dust", "gas"), values):
        armilla.Map(one, fields=[name]).write(tmp_path / f"{name}.h5")
    files = [tmp_path / "dust.h5", tmp_path / "gas.h5"]
    sky = armilla.read(files)
    assert sky.fields == ["dust", "gas"]
    np.testing.assert_array_equal(sky.values, values)
    np.testing.assert_array_equal(armilla.analysis(files, lmax=4).values, armilla.analysis(sky, lmax=4).values)


def test_bad_pixels_have_a_mask(tmp_path):
    values = np.arange(48.0)
    values[7] = healpy.UNSEEN
    healpy.write_map(str(tmp_path / "sky.fits"), values, dtype=np.float64)
    with pytest.raises(armilla.InputError, match="bad_data='zero'"):
        armilla.read(tmp_path / "sky.fits")
    sky, good = armilla.read(tmp_path / "sky.fits", bad_data="mask")
    assert sky.values[0, 7] == 0 and list(np.flatnonzero(good.values[0] == 0)) == [7]


def test_unknown_coordinates_of_a_file_are_kept(tmp_path):
    fits = pytest.importorskip("astropy.io.fits")
    healpy.write_map(str(tmp_path / "sky.fits"), np.arange(48.0), coord="G")
    fits.setval(tmp_path / "sky.fits", "COORDSYS", value="X", ext=1)
    assert armilla.read(tmp_path / "sky.fits").coordsys == "X"


def test_rings_become_a_grid(tmp_path):
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "rings.h5", "w") as file:
        group = file.create_group("grid")
        group["theta"], group["phi0"], group["nphi"] = [1.0, 2.0], [0.0, 0.0], [4, 8]
    assert armilla.read(tmp_path / "rings.h5").npix == 12


@pytest.mark.parametrize("call,words", [
    (lambda folder: armilla.read(folder / "none.fits"), "none.fits' cannot be opened"),
    (lambda folder: armilla.read(DATA / "wmap" / "wmap7_V_iqu_nside32.fits", fields=["X"]), "requests fields X"),
    (lambda folder: armilla.read(DATA / "wmap" / "wmap7_V_iqu_nside32.fits", lmx=3), "lmax"),
    (lambda folder: armilla.read(DATA / "wmap" / "wmap7_V_iqu_nside32.fits", lmax=3), "read(lmax=3) applies to alm"),
    (lambda folder: armilla.read(3), "3 is no path"),
    (lambda folder: armilla.read("a.fits", precision="float32"), "read(precision='float32'): use 'double' or 'single'"),
    (lambda folder: armilla.read(DATA / "wmap" / "wmap7_V_iqu_nside32.fits", dtype=np.float32), "the type float32 cannot be"),
    (lambda folder: armilla.read(folder / "x", sort="maps"), "sort = 'maps': use one of map, alm"),
    (lambda folder: armilla.Map(np.zeros(48)).write(folder / "sky.foo"), "use .h5, .hdf5, .fits, .fit"),
    (lambda folder: armilla.Map(np.zeros(48)).write(folder / "sky.fits", precision="half"), "write(precision='half')"),
    (lambda folder: armilla.Map(np.zeros(48)).write(folder / "none" / "sky.fits"), "none"),
])
def test_errors_are_about_arguments(tmp_path, call, words):
    with pytest.raises(armilla.InputError) as caught:
        call(tmp_path)
    assert words in str(caught.value)


def test_names_of_files(tmp_path):
    sky = armilla.Map(np.ones(12))
    path = tmp_path / "\U0001f30d karte.h5"
    sky.write(path)
    assert armilla.read(path).metadata == sky.metadata
    several = armilla.Map(np.ones((2, 1, 12)))
    for name in ("{x}.h5", "a{}{}.h5"):
        with pytest.raises(armilla.InputError, match="number of the map"):
            several.write(tmp_path / name)
    with pytest.raises(armilla.InputError, match="progress = True"):
        armilla.read(path, progress=True)

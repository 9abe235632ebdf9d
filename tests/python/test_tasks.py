"""Whole tasks of a user of healpy, in as few statements as with healpy or fewer, and compared with healpy or with a closed
form. tests/cli/test_tasks.py has the same tasks by the command."""
import armilla
import numpy as np
import pytest
from scipy.special import eval_legendre

healpy = pytest.importorskip("healpy")

NSIDE, LMAX = 32, 48
NPIX = 12 * NSIDE ** 2
# Largest difference over largest value of a few double-precision transforms of 49^2 terms, each of rms 1e-16 sqrt(49^2).
ROUNDING = 1e-12
DEGREE = healpy.Alm.getlm(LMAX)[0]


def agree(ours, theirs, tolerance=ROUNDING):
    ours, theirs = np.squeeze(np.asarray(ours)), np.squeeze(np.asarray(theirs))
    assert ours.shape == theirs.shape
    largest = np.max(np.abs(theirs))
    assert largest > 0 and np.max(np.abs(ours - theirs)) <= tolerance * largest, np.max(np.abs(ours - theirs)) / largest


def random_alm(seed):
    """T, E, B of C_l = 1, 0.1, 0.01 / l^2, with TE, from l = 2 on."""
    l = np.arange(LMAX + 1)
    cl = np.zeros((4, LMAX + 1))
    cl[:, 2:] = np.array([[1], [0.1], [0.01], [0.15]]) / l[2:] ** 2.0
    np.random.seed(seed)
    return np.array(healpy.synalm(list(cl), lmax=LMAX, new=True))


ALM = random_alm(1)
SKY = np.array(healpy.alm2map(ALM, NSIDE))
"""T, Q, U"""


def smoothed(degrees):
    return healpy.smoothalm(ALM, fwhm=np.radians(degrees), inplace=False)


def test_spectrum_of_white_noise():
    """C_l of pixel noise is sigma^2 4 pi / npix for each l."""
    noise = np.random.default_rng(5).normal(scale=3.0, size=NPIX)
    cl = armilla.spectra(armilla.analysis(noise, lmax=64))
    agree(cl, healpy.anafast(noise, lmax=64, iter=0))


def test_bring_a_map_from_one_beam_to_a_wider_one():
    """3 and 4 degrees are 5 degrees."""
    seen = np.array(healpy.alm2map(smoothed(3), NSIDE))
    method = {"jacobi": {"iterations": 8, "weights": "pixel"}}
    common = armilla.synthesis(armilla.smooth(armilla.analysis(seen, lmax=LMAX, method=method), fwhm_arcmin=240), grid="healpix:32")
    agree(common, healpy.alm2map(smoothed(5), NSIDE))


def test_deconvolve_a_beam():
    b = healpy.gauss_beam(np.radians(2), lmax=LMAX, pol=True)[:, :3]
    found = armilla.multiply(smoothed(2), by={"window": armilla.Spectra(1 / b.T, ["T", "E", "B"])})
    agree(found, ALM)


def test_difference_of_two_maps():
    other = random_alm(2)
    agree(armilla.add(SKY, healpy.alm2map(other, NSIDE), factors=[1, -1]), healpy.alm2map(ALM - other, NSIDE))


@pytest.mark.parametrize("nside", [16, 64])
def test_change_nside(nside):
    """For a map without structure beyond lmax, the values at the centres of the other pixels."""
    low = ALM * (DEGREE <= 24)
    other = armilla.regrid(healpy.alm2map(low, NSIDE), grid=f"healpix:{nside}", lmax=24, method="pixel_weights")
    agree(other, healpy.alm2map(low, nside))


def test_to_equatorial_coordinates_and_back():
    c = armilla.rotate(armilla.Alm(ALM, coordsys="G"), to="equatorial")
    agree(c, healpy.Rotator(coord="GC").rotate_alm(ALM))
    agree(armilla.rotate(c, to="galactic"), ALM)


def test_a_source_is_where_it_should_be_after_a_rotation():
    lon, lat = 209.0, -19.4  # galactic, of Orion; equatorial 83.8, -5.4
    direction = healpy.ang2vec(lon, lat, lonlat=True)
    distance2 = 2 - 2 * direction @ np.array(healpy.pix2vec(NSIDE, np.arange(NPIX)))
    source = armilla.Map(np.exp(-distance2 / 2 / np.radians(6) ** 2), coordsys="G")
    turned = armilla.synthesis(armilla.rotate(armilla.analysis(source, lmax=LMAX), to="equatorial"), grid=source.grid)
    found = healpy.pix2ang(NSIDE, np.argmax(turned), lonlat=True)
    expected = healpy.Rotator(coord=["G", "C"])(lon, lat, lonlat=True)
    # Within half a diagonal of a pixel of 1.8 degrees.
    assert np.degrees(healpy.rotator.angdist(found, expected, lonlat=True)) < 1.3 and turned.coordsys == "C"


@pytest.mark.parametrize("i,name", [(1, "E"), (2, "B")])
def test_maps_of_e_and_b(i, name):
    agree(armilla.synthesis(ALM[i], grid="healpix:32"), healpy.alm2map(ALM[i], NSIDE))
    agree(armilla.synthesis(armilla.select(ALM, fields=[name]), grid="healpix:32"), healpy.alm2map(ALM[i], NSIDE))


def test_polarisation_of_e_alone():
    agree(armilla.synthesis(ALM[1:], only=["E"], grid="healpix:32"), healpy.alm2map([0 * ALM[0], ALM[1], 0 * ALM[2]], NSIDE)[1:])


def test_minus_the_laplacian_of_a_harmonic():
    """It is l (l + 1) times the harmonic."""
    alm = np.zeros(healpy.Alm.getsize(LMAX), complex)
    alm[healpy.Alm.getidx(LMAX, 7, 3)] = 1
    y = healpy.alm2map(alm, NSIDE)
    found = armilla.multiply(armilla.analysis(y, lmax=LMAX, method="pixel_weights"), by={"laplacian_power": 1})
    # l (l + 1) up to 48 * 49 amplifies the rounding of other degrees, against 7 * 8.
    agree(armilla.synthesis(found, grid="healpix:32"), 7 * 8 * y, 48 * 49 / (7 * 8) * ROUNDING)


def test_band_of_degrees():
    found = armilla.multiply(armilla.analysis(SKY, lmax=LMAX, method="pixel_weights"), by={"l_range": [10, 20]})
    agree(armilla.synthesis(found, grid="healpix:32"), healpy.alm2map(ALM * ((DEGREE >= 10) & (DEGREE <= 20)), NSIDE))


def test_a_nested_file_in_single_precision_keeps_its_header(tmp_path):
    healpy.write_map(tmp_path / "nested.fits", healpy.reorder(SKY, r2n=True), nest=True, dtype=np.float32, coord="G", column_units="uK")
    sky = armilla.read(tmp_path / "nested.fits")
    smooth = armilla.synthesis(armilla.smooth(armilla.analysis(sky, lmax=95, method={"jacobi": 3}), fwhm_arcmin=300), grid=sky.grid)
    smooth.write(tmp_path / "smooth.fits", ordering="nested")
    ours, header = healpy.read_map(tmp_path / "smooth.fits", field=None, dtype=None, nest=True, h=True)
    header = dict(header)
    assert (header["ORDERING"], header["COORDSYS"], header["TUNIT1"], header["POLCCONV"]) == ("NESTED", "G", "uK", "COSMO")
    read = healpy.read_map(tmp_path / "nested.fits", field=None, dtype=np.float64)
    agree(ours, healpy.reorder(healpy.smoothing(read, fwhm=np.radians(5)), r2n=True))


def test_values_at_the_places_of_a_catalogue():
    """Of a zonal field the Legendre series."""
    lat, lon = np.linspace(-80, 85, 30), np.linspace(0, 350, 30)
    zonal = ALM[0] * (healpy.Alm.getlm(LMAX)[1] == 0)
    found = armilla.synthesis_at(zonal, (np.radians(90 - lat), np.radians(lon)))
    series = sum(zonal[k].real * np.sqrt((2 * k + 1) / (4 * np.pi)) * eval_legendre(k, np.sin(np.radians(lat)))
                 for k in range(LMAX + 1))
    agree(found, series, 1e-9)  # synthesis_at is accurate to 1e-10 in rms


def test_cross_spectrum_of_two_halves_with_noise():
    rng = np.random.default_rng(8)
    halves = [SKY + rng.normal(scale=0.3, size=SKY.shape) for _ in range(2)]
    cross = armilla.spectra(*(armilla.analysis(half, lmax=40, method={"jacobi": 3}) for half in halves))
    agree(cross, np.mean([healpy.anafast(*halves, lmax=40), healpy.anafast(*halves[::-1], lmax=40)], axis=0))


def test_a_cut_sky_file(tmp_path):
    bad = np.abs(healpy.pix2ang(NSIDE, np.arange(NPIX), lonlat=True)[1]) < 15
    values = np.where(bad, healpy.UNSEEN, SKY[0])
    healpy.write_map(tmp_path / "cut.fits", values, partial=True, dtype=np.float64)
    sky, good = armilla.read(tmp_path / "cut.fits", bad_data="mask")
    np.testing.assert_array_equal(good.values[0] == 0, bad)
    agree(armilla.spectra(armilla.analysis(sky, lmax=95, method={"jacobi": 3})), healpy.anafast(values))


def test_sums_over_discs():
    """As by query_disc: the pixels within, times their area, over the area of the disc."""
    disc = armilla.convolve(SKY[0], kernel={"top_hat": {"radius_deg": 8}}, method="direct")
    some = np.arange(0, NPIX, 17)
    within = [healpy.query_disc(NSIDE, healpy.pix2vec(NSIDE, pixel), np.radians(8)) for pixel in some]
    area = healpy.nside2pixarea(NSIDE) / (2 * np.pi * (1 - np.cos(np.radians(8))))
    agree(disc[some], [area * SKY[0][pixels].sum() for pixels in within])


def test_masked_map_by_least_squares():
    """A hole of 10 degrees costs a band-limited map nothing."""
    good = healpy.rotator.angdist((60, 20), healpy.pix2ang(NSIDE, np.arange(NPIX), lonlat=True), lonlat=True) > np.radians(10)
    low = ALM[0] * (DEGREE <= 20)
    holed = np.where(good, healpy.alm2map(low, NSIDE), 1e3)
    found = armilla.analysis(holed, lmax=20, method={"cg": {"tolerance": 1e-12, "mask": good}})
    # 1e-12 of the normal equations, whose condition number is about 100 for a hole of radius 3.5 / lmax.
    agree(found, healpy.resize_alm(low, LMAX, LMAX, 20, 20) if hasattr(healpy, "resize_alm") else ALM[0][DEGREE <= 20], 1e-8)

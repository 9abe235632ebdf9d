"""Verbs that read one file take what its header lacks as options, and ask for them in these words."""
import shutil

import h5py
import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")

PIXELS = 12 * 4**2


def write(place, name, columns, **cards):
    table = fits.BinTableHDU.from_columns([fits.Column(key, "D", array=values) for key, values in columns.items()])
    table.header.update({"PIXTYPE": "HEALPIX", "INDXSCHM": "IMPLICIT", **cards})
    table.writeto(place.folder / name)


@pytest.mark.parametrize("verb", [["inspect"], ["convert", "out.h5"], ["view", "-o", "out.png"]])
def test_a_header_that_lacks_something_is_completed(place, verb):
    command = [verb[0], "in.fits", *verb[1:]]
    write(place, "in.fits", {"TEMPERATURE": np.arange(PIXELS, dtype=float)})
    result = place.armilla(*command)
    assert result.code == 2 and "--input-ordering ring or --input-ordering nested" in result.errors()[0]
    result = place.armilla(*command, "--input-ordering", "nested")
    assert result.code == 2 and "--nside N" in result.errors()[0]
    result = place.armilla(*command, "--nside", 4, "--input-ordering", "nested")
    assert result.code == 0, result.error


def test_a_header_that_is_wrong_is_overridden(place):
    write(place, "in.fits", {"Q_POLARISATION": np.ones(PIXELS), "U_POLARISATION": np.ones(PIXELS)}, NSIDE=4,
          ORDERING="RING", POLCCONV="COSMO")
    result = place.armilla("convert", "in.fits", "out.h5", "--polcconv", "IAU")
    assert result.code == 2 and "--polcconv force=IAU" in result.errors()[0]
    assert place.armilla("convert", "in.fits", "out.h5", "--polcconv", "force=IAU").code == 0
    with h5py.File(place.folder / "out.h5") as file:
        assert np.array_equal(file["map"][:], [np.ones(PIXELS), -np.ones(PIXELS)])


def test_convert_keeps_unknown_spins(place):
    """Weather named T, Q, U in HDF5 must not become polarisation in FITS."""
    with h5py.File(place.folder / "air.h5", "w") as file:
        file["map"] = np.random.default_rng(2).normal(size=(3, PIXELS))
        file["map"].attrs.update(NSIDE=4, ORDERING="RING", FIELDS=["t", "Q", "U"], SPINS=[-1, -1, -1])
    assert place.armilla("convert", "air.h5", "air.fits").code == 0
    result = place.armilla("analysis", "air.fits", "--lmax", 6, "-o", "a.h5")
    assert result.code == 2 and "--spin" in result.errors()[0]


def test_convert_drops_imaginary_parts_of_m_0(place):
    with h5py.File(place.folder / "a.h5", "w") as file:
        file["alm"] = np.array([[1, 2 + 3j, 4 + 1j, 5, 6 + 1j, 7j]])  # l, m of lmax 2: m = 0 first
        file["alm"].attrs.update(LMAX=2, MMAX=2, FIELDS=["T"])
    result = place.armilla("convert", "a.h5", "b.h5")
    assert result.code == 0 and "imaginary parts, up to 3 in component 0 (T)" in result.error
    with h5py.File(place.folder / "b.h5") as file:
        values = file["alm"][:].ravel()
        assert np.array_equal(values["r"] + 1j * values["i"] if values.dtype.names else values,
                              [1, 2, 4, 5, 6 + 1j, 7j])


def test_latitudes_in_single_precision_and_from_the_south(place):
    place.map("sky.h5", 8, 1)
    assert place.armilla("regrid", "sky.h5", "--grid", "gauss:16", "--lmax", 12, "-o", "gauss.h5").code == 0
    shutil.copy(place.folder / "gauss.h5", place.folder / "south.h5")
    with h5py.File(place.folder / "gauss.h5", "r+") as file:
        theta = file["grid/theta"][:]
        file["grid/theta"][:] = np.radians(np.degrees(theta).astype(np.float32).astype(float))
        assert np.any(file["grid/theta"][:] != theta)
    assert place.armilla("analysis", "gauss.h5", "--lmax", 12, "-o", "a.h5").code == 0
    with h5py.File(place.folder / "south.h5", "r+") as file:
        file["grid/theta"][:] = theta[::-1]
    result = place.armilla("analysis", "south.h5", "--lmax", 12, "-o", "a.h5")
    assert result.code == 2 and "from south to north" in result.errors()[0]


def test_words_that_belong_elsewhere(place):
    place.map("sky.h5", 8, 1)
    for command, advice in [
            (["smooth", "sky.h5", "--window", "b.fits", "-o", "c.h5"], "armilla multiply has --by-window"),
            (["smooth", "sky.h5", "--fwhm-deg", 1, "-o", "c.h5"], "--fwhm-arcmin"),
            (["multiply", "sky.h5", "other.h5", "-o", "c.h5"], "--with other.h5"),
            (["scale", "sky.h5", 2.5, "-o", "c.h5"], "--factor 2.5")]:
        result = place.armilla(*command)
        assert result.code == 2 and advice in result.errors()[0], result.error
    assert "armilla smooth MAP" in place.armilla("help", "hp.smoothing").out


def test_units_that_differ_are_said(place):
    """Humidity and wind named q, u are no polarisation; spectra of mK and uK have no unit."""
    table = fits.BinTableHDU.from_columns([fits.Column(name, "D", array=np.ones(PIXELS), unit=unit)
                                           for name, unit in (("q", "kg/kg"), ("u", "m/s"))])
    table.header.update(PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=4)
    table.writeto(place.folder / "air.fits")
    result = place.armilla("analysis", "air.fits", "--lmax", 6, "-o", "a.h5")
    assert result.code == 2 and "kg/kg and m/s" in result.errors()[0] and "--spin 0" in result.errors()[0]
    assert place.armilla("analysis", "air.fits", "--fields", "q,u", "--spin", 0, "--lmax", 6, "-o", "a.h5").code == 0
    result = place.armilla("spectra", "a.h5", "-o", "cl.h5")
    assert result.code == 0 and "the units of the fields differ (kg/kg, m/s)" in result.error

"""Files that Armilla writes are read by healpy with equal values, and the other way round."""
import numpy as np
import pytest

healpy = pytest.importorskip("healpy")
import h5py

import test_logical_masks as logical
from tiers import RANKS, sweep

NSIDE = 16
PIXELS = 12 * NSIDE * NSIDE


@pytest.mark.parametrize("ordering, precision, kind", [
    ("nested", "double", np.float64),
    *sweep(("ring", "double", np.float64), ("ring", "single", np.float32), ("nested", "single", np.float32))])
def test_healpy_reads_our_maps(place, ordering, precision, kind):
    values = place.map("in.h5", NSIDE, 3)
    result = place.armilla("convert", "in.h5", "out.fits", "--ordering", ordering, "--precision", precision)
    assert result.code == 0, result.error
    read, header = healpy.read_map(place.folder / "out.fits", field=(0, 1, 2), dtype=kind, h=True)
    assert np.array_equal(read, values.astype(kind))
    header = dict(header)
    assert header["ORDERING"] == ("RING" if ordering == "ring" else "NESTED")
    assert header["POLCCONV"] == "COSMO"


@pytest.mark.parametrize("options", [
    {"nest": True}, {"column_units": ["K_CMB"] * 3, "coord": "G"},
    *sweep({}, {"fits_IDL": False}, {"dtype": np.float32})], ids=str)
def test_we_read_maps_of_healpy(place, options):
    values = np.random.default_rng(3).normal(size=(3, PIXELS))
    written = healpy.reorder(values, r2n=True) if options.get("nest") else values
    healpy.write_map(place.folder / "in.fits", written, **{"dtype": np.float64, **options})
    result = place.armilla("convert", "in.fits", "out.h5", "--ordering", "ring")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "out.h5") as file:
        assert np.array_equal(file["map"][:], values.astype(options.get("dtype", np.float64)))
        if "coord" in options:
            assert file["map"].attrs["COORDSYS"] in ("G", b"G")


@pytest.mark.parametrize("ranks", RANKS)
def test_we_read_partial_skies_of_healpy(place, ranks):
    values = np.random.default_rng(4).normal(size=PIXELS)
    values[100:2000] = healpy.UNSEEN
    healpy.write_map(place.folder / "in.fits", values, partial=True, dtype=np.float64)
    assert "explicit" in place.armilla("inspect", "in.fits").out.lower()
    place.job("inputs: {sky: {map: in.fits, bad_data: zero}}\noutputs: {sky: {file: out.h5}}\n")
    assert place.armilla("run", "job.yaml", ranks=ranks).code == 0
    with h5py.File(place.folder / "out.h5") as file:
        assert np.array_equal(file["map"][0], np.where(values == healpy.UNSEEN, 0, values))


@pytest.mark.parametrize("lmax, mmax", [(20, 7), *sweep((20, 20))])
def test_alm_pass_both_ways(place, lmax, mmax):
    rng = np.random.default_rng(5)
    size = healpy.Alm.getsize(lmax, mmax)
    alm = rng.normal(size=(3, size)) + 1j * rng.normal(size=(3, size))
    alm[:, : lmax + 1] = alm[:, : lmax + 1].real
    healpy.write_alm(place.folder / "in.fits", alm, lmax=lmax, mmax=mmax, mmax_in=mmax, out_dtype=np.float64)
    for source, target in (("in.fits", "middle.h5"), ("middle.h5", "out.fits")):
        result = place.armilla("convert", source, target)
        assert result.code == 0, result.error
    with h5py.File(place.folder / "middle.h5") as file:
        assert np.array_equal(file["alm"][:], alm)
    for component in range(3):
        read, read_mmax = healpy.read_alm(place.folder / "out.fits", hdu=component + 1, return_mmax=True)
        assert read_mmax == mmax
        assert np.array_equal(read, alm[component])


def test_healpy_reads_our_spectra_and_we_read_its(place):
    cl = np.random.default_rng(6).uniform(1, 2, size=(6, 30))
    healpy.write_cl(place.folder / "in.fits", cl, dtype=np.float64)
    result = place.armilla("convert", "in.fits", "out.fits")
    assert result.code == 0, result.error
    assert np.array_equal(healpy.read_cl(place.folder / "out.fits"), cl)


def test_our_synthesis_is_that_of_healpy(place):
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, out: a}\n"
              f"  - synthesis: {{alm: a, grid: {{healpix: {{nside: {NSIDE}}}}}, out: m}}\n"
              "outputs:\n  a: {file: a.fits}\n  m: {file: m.fits}\n")
    assert place.armilla("run", "job.yaml").code == 0
    alm = [healpy.read_alm(place.folder / "a.fits", hdu=i) for i in (1, 2, 3)]
    ours = healpy.read_map(place.folder / "m.fits", field=(0, 1, 2), dtype=np.float64)
    theirs = healpy.alm2map(alm, NSIDE)
    for component in range(3):
        # two double-precision transforms of 41^2 terms
        assert np.max(np.abs(ours[component] - theirs[component])) < 1e-12 * np.max(np.abs(theirs[component]))


def test_coordinates_are_those_of_healpy(place):
    lmax = 12
    rng = np.random.default_rng(1)
    alm = rng.normal(size=healpy.Alm.getsize(lmax)) + 1j * rng.normal(size=healpy.Alm.getsize(lmax))
    alm[: lmax + 1] = alm[: lmax + 1].real
    with h5py.File(place.folder / "a.h5", "w") as file:
        data = file.create_dataset("alm", data=alm[None])
        data.attrs.update({"LMAX": lmax, "MMAX": lmax, "FIELDS": ["T"], "COORDSYS": "G"})
    place.job("inputs:\n  a: {alm: a.h5}\nsteps:\n  - rotate: {alm: a, to: equatorial, out: c}\n"
              "  - rotate: {alm: a, to: ecliptic, out: e}\noutputs:\n  c: {file: c.h5}\n  e: {file: e.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    for letter in "CE":
        with h5py.File(place.folder / f"{letter.lower()}.h5") as file:
            found, said = file["alm"][0], file["alm"].attrs["COORDSYS"]
        np.testing.assert_allclose(found, healpy.Rotator(coord=["G", letter]).rotate_alm(alm, lmax=lmax), atol=1e-12)
        assert said in (letter, letter.encode())


def test_nested_is_what_healpy_says(place):
    values = place.map("a.h5", 8, 1)
    assert place.armilla("convert", "a.h5", "b.h5", "--ordering", "nested").code == 0
    with h5py.File(place.folder / "b.h5") as file:
        assert np.array_equal(file["map"][0], healpy.reorder(values[0], r2n=True))
    assert place.armilla("convert", "b.h5", "c.fits", "--ordering", "ring").code == 0
    assert np.array_equal(healpy.read_map(place.folder / "c.fits", dtype=float), values[0])


@pytest.mark.parametrize("ranks", RANKS)
def test_logical_masks_in_nested_order(place, ranks):
    mask = logical.truths()
    logical.write(place, [logical.fits.Column(name="MASK", format="L", array=healpy.reorder(mask, r2n=True))], ORDERING="NESTED")
    logical.run(place, ranks=ranks)
    assert np.array_equal(logical.read(place, "again.h5")[0], mask.astype(float))


def test_logical_masks_of_healpy(place):
    mask = logical.truths()
    healpy.write_map(place.folder / "mask.fits", mask, dtype=bool)
    assert logical.fits.open(place.folder / "mask.fits")[1].columns[0].format.endswith("L")
    logical.run(place)
    assert np.array_equal(logical.read(place, "again.h5")[0], mask.astype(float))

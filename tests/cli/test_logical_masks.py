"""Masks of truth values, as astropy and h5py write arrays of bool; those of healpy are in test_healpy_files.py."""
import h5py
import numpy as np
import pytest

from tiers import RANKS, sweep

fits = pytest.importorskip("astropy.io.fits")

NSIDE = 8
NPIX = 12 * NSIDE * NSIDE
JOB = """inputs:
  sky:  {map: sky.h5, fields: [T, Q, U]}
  mask: {map: mask.fits}
steps:
  - mask: {map: sky, mask: mask, out: cut}
outputs:
  cut:  {file: cut.h5}
  mask: {file: again.h5}
execution: {precision: PRECISION}
"""


def truths():
    return np.random.default_rng(8).uniform(size=NPIX) < 0.7


def write(place, columns, **keys):
    table = fits.BinTableHDU.from_columns(columns)
    said = {"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": "IMPLICIT", **keys}
    table.header.update(said)
    table.writeto(place.folder / "mask.fits", overwrite=True)


def read(place, name):
    with h5py.File(place.folder / name) as file:
        return file["map"][:]


def run(place, precision="double", ranks=0, code=0, file="mask.fits"):
    place.job(JOB.replace("PRECISION", precision).replace("mask.fits", file))
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == code, result.error
    return result


@pytest.mark.parametrize("per_row, ranks, precision", [
    (1, 0, "double"), (64, 0, "single"),
    *sweep((1, 0, "single"), (1, 3, "double"), (1, 3, "single"), (64, 0, "double"), (64, 3, "double"), (64, 3, "single"))])
def test_are_1_and_0(place, per_row, ranks, precision):
    mask = truths()
    sky = read(place, "sky.h5")
    write(place, [fits.Column(name="MASK", format=f"{per_row}L", array=mask.reshape(-1, per_row).squeeze())])
    run(place, precision, ranks)
    assert np.array_equal(read(place, "again.h5")[0], mask.astype(float))
    kind = np.float32 if precision == "single" else np.float64
    assert np.array_equal(read(place, "cut.h5"), np.where(mask, sky.astype(kind), 0))


@pytest.mark.parametrize("ranks, precision", [(2, "double"), *sweep((0, "double"), (0, "single"), (3, "double"), (3, "single"))])
def test_hdf5_has_them_too(place, ranks, precision):
    mask = truths()
    sky = read(place, "sky.h5")
    with h5py.File(place.folder / "truths.h5", "w") as file:
        file["map"] = mask.reshape(1, -1)
        file["map"].attrs.update({"NSIDE": NSIDE, "ORDERING": "RING", "FIELDS": "M", "SPINS": [0]})
    run(place, precision, ranks, file="truths.h5")
    assert np.array_equal(read(place, "again.h5")[0], mask.astype(float))
    kind = np.float32 if precision == "single" else np.float64
    assert np.array_equal(read(place, "cut.h5"), np.where(mask, sky.astype(kind), 0))


def test_other_names_for_numbers_are_refused(place):
    with h5py.File(place.folder / "colours.h5", "w") as file:
        colours = h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 2}, basetype="i1")
        file.create_dataset("map", (1, NPIX), dtype=colours)
        file["map"].attrs.update({"NSIDE": NSIDE, "ORDERING": "RING"})
    (error,) = run(place, code=2, file="colours.h5").errors()
    assert "colours.h5" in error and "does not contain real numbers" in error and "bool" in error


@pytest.mark.parametrize("ranks", RANKS)
def test_with_an_index(place, ranks):
    mask = truths()
    order = np.random.default_rng(3).permutation(NPIX)
    write(place, [fits.Column(name="PIXEL", format="J", array=order), fits.Column(name="MASK", format="L", array=mask[order])],
          INDXSCHM="EXPLICIT")
    run(place, ranks=ranks)
    assert np.array_equal(read(place, "again.h5")[0], mask.astype(float))


def test_what_is_neither_is_a_bad_pixel(place):
    mask = truths()
    write(place, [fits.Column(name="MASK", format="L", array=mask)])
    data = bytearray((place.folder / "mask.fits").read_bytes())
    begin = fits.open(place.folder / "mask.fits")[1].fileinfo()["datLoc"]
    assert data[begin:begin + NPIX] == "".join("T" if value else "F" for value in mask).encode()
    data[begin + 5] = 0  # undefined
    (place.folder / "mask.fits").write_bytes(data)
    assert "1 NaN" in run(place, code=2).errors()[0]

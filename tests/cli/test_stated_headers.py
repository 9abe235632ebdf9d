"""Keys of map inputs that state what a header lacks or has wrong."""
import h5py
import numpy as np
import pytest
from astropy.io import fits

from tiers import sweep

NSIDE = 8
RING = {"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": "IMPLICIT"}


def write(place, columns=("TEMPERATURE",), primary=None, pixels=None, units=None, **header):
    """A FITS map with RING order; header cards of value None are left out."""
    values = np.random.default_rng(3).normal(size=(len(columns), 12 * NSIDE * NSIDE if pixels is None else len(pixels)))
    table = [fits.Column(name, "D", unit=units, array=numbers) for name, numbers in zip(columns, values)]
    if pixels is not None:
        table.insert(0, fits.Column("PIXEL", "J", array=pixels))
    table = fits.BinTableHDU.from_columns(table)
    table.header.update({key: value for key, value in {**RING, **header}.items() if value is not None})
    fits.HDUList([fits.PrimaryHDU(header=fits.Header(primary or {})), table]).writeto(place.folder / "in.fits", overwrite=True)
    return values


def read(place, *options, file="in.fits"):
    """The map of the file, by way of a step that keeps it, and its attributes."""
    (place.folder / "out.h5").unlink(missing_ok=True)
    result = place.armilla("select", file, "--fields", "T", *options, "-o", "out.h5")
    if result.code != 0:
        return result, None, None
    with h5py.File(place.folder / "out.h5") as written:
        data = written["map"]
        return result, data[:], dict(data.attrs)


LACKING = [
    ({"NSIDE": None}, ["--nside", NSIDE], "NSIDE is missing: state the resolution of the HEALPix map with --nside N"),
    ({"ORDERING": None}, ["--input-ordering", "ring"],
     "ORDERING is missing: state it with --input-ordering ring or --input-ordering nested"),
    ({"LASTPIX": 12287}, ["--nside", NSIDE], "do not span the 768 pixels of NSIDE: confirm NSIDE with --nside N"),
    ({"NSIDE": 16}, ["--nside", f"force={NSIDE}"], "NSIDE requires 3072"),
    ({"ORDERING": "SIDEWAYS"}, ["--input-ordering", "force=ring"], "ORDERING = 'SIDEWAYS' is not a pixel ordering"),
    ({"BAD_DATA": "none"}, ["--bad-value", "force=-1"], "BAD_DATA = 'none' is not a number: override it with --bad-value force=N"),
    ({"POLCCONV": "HAMMER"}, ["--polcconv", "force=COSMO"], "POLCCONV = 'HAMMER' is not a polarisation convention"),
]


@pytest.mark.parametrize("header, options, message", [LACKING[0], LACKING[1], LACKING[2], *sweep(*LACKING[3:])])
def test_what_a_header_lacks_is_asked_for_and_stated(place, header, options, message):
    values = write(place, **header)
    result, _, _ = read(place)
    assert result.code == 2 and message in result.error
    result, found, _ = read(place, *options)
    assert result.code == 0, result.error
    assert np.array_equal(found, values)


@pytest.mark.parametrize("header", [{"NSIDE": "8", "ORDERING": "ring"}, *sweep(
    {"NSIDE": 8.0, "ORDERING": "nest"}, {"BAD_DATA": "NaN"}, {"ORDERING": "Nested", "INDXSCHM": None})])
def test_other_spellings_of_numbers_and_orders_are_read(place, header):
    values = write(place, **header)
    result, found, _ = read(place)
    assert result.code == 0, result.error
    if header.get("ORDERING", "RING").upper() == "RING":
        assert np.array_equal(found, values)
    else:
        assert np.array_equal(np.sort(found), np.sort(values)) and not np.array_equal(found, values)


@pytest.mark.parametrize("spelling, letter", [("GAL", "G"), ("CEL", "C"), *sweep(
    ("ECL", "E"), ("EQU", "C"), ("ICRS", "C"), ("galactic", "G"), ("Celestial2000", "C"))])
def test_spellings_of_coordinates(place, spelling, letter):
    write(place, COORDSYS=spelling)
    assert read(place)[2]["COORDSYS"] == letter
    write(place)
    assert read(place, "--coordsys", spelling)[2]["COORDSYS"] == letter


@pytest.mark.parametrize("key, header, stated, other, shown", [
    ("coordsys", {"COORDSYS": "G"}, "C", "C", "COORDSYS = G"),
    ("nside", {"NSIDE": NSIDE}, 16, None, "NSIDE = 8"),
    *sweep(("input-ordering", {"ORDERING": "RING"}, "nested", None, "ORDERING = RING"),
           ("polcconv", {"POLCCONV": "COSMO"}, "IAU", "IAU", "POLCCONV = COSMO"),
           ("input-units", {"TUNIT1": "K"}, "mK", "mK", "the units = [K]"),
           ("bad_value", {"BAD_DATA": -1.5}, "-2", None, "BAD_DATA = -1.5"))])
def test_a_contradiction_names_both_and_the_override(place, key, header, stated, other, shown):
    write(place, **header)
    option = "--" + key.replace("_", "-")
    result, _, _ = read(place, option, stated)
    assert result.code == 2
    assert f"{option} = {stated}" in result.error.replace(f"{option} {stated}", f"{option} = {stated}")
    assert "in.fits, which has " + shown in result.error
    assert f"override the file with {option} force=" in result.error
    if other is not None:
        result, _, said = read(place, option, f"force={stated}")
        assert result.code == 0, result.error
        attribute = {"input-units": "UNITS"}.get(key, key.upper())
        if key != "polcconv":  # a scalar has no convention
            assert other in said[attribute]


def test_in_a_job_the_override_is_a_section(place):
    write(place, COORDSYS="G")
    job = "inputs:\n  sky: {{map: in.fits, coordsys: {}}}\noutputs:\n  sky: {{file: sky.h5}}\n"
    place.job(job.format("C"))
    result = place.armilla("run", "job.yaml")
    assert result.code == 2 and "inputs.sky.coordsys = C contradicts" in result.error
    assert "override the file with coordsys: {force: C}" in result.error
    place.job(job.format("{force: C}"))
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "sky.h5") as file:
        assert file["map"].attrs["COORDSYS"] == "C"


def test_columns_of_components_get_the_names_of_fields(place):
    values = write(place, ["I_ML", "HITS", "Q_ML", "U_ML"], POLCCONV="IAU")
    job = "inputs:\n  sky: {{map: in.fits, columns: [{}], fields: [T, Q, U]}}\noutputs:\n  sky: {{file: out.h5}}\n"
    place.job(job.format("I_ML, Q_ML, U_ML"))
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "out.h5") as file:
        assert list(file["map"].attrs["FIELDS"]) == ["T", "Q", "U"] and list(file["map"].attrs["SPINS"]) == [0, 2, 2]
        assert np.array_equal(file["map"][:], values[[0, 2, 3]] * np.array([1, 1, -1])[:, None])
    result = place.armilla("analysis", "in.fits", "--lmax", 4, "--columns", "I_ML,Q_ML", "--fields", "T,Q,U", "-o", "out.h5")
    assert result.code == 2 and "--columns: lists 2 columns for 3 fields" in result.error


def test_units_and_bad_values_that_a_file_lacks(place):
    values = write(place)
    result, _, said = read(place, "--input-units", "mK,thermodynamic")
    assert list(said["UNITS"]) == ["mK,thermodynamic"]
    result, found, _ = read(place, "--bad-value", f"{values[0][5]:.17g}", "--bad-data", "zero")
    assert result.code == 0 and found[0][5] == 0 and np.count_nonzero(found == 0) == 1


def test_nside_of_explicit_pixels(place):
    pixels = np.arange(20, 60)
    values = write(place, pixels=pixels, INDXSCHM="EXPLICIT", NSIDE=None)
    result, found, _ = read(place, "--nside", NSIDE, "--bad-data", "zero")
    assert result.code == 0, result.error
    assert found.shape == (1, 768) and np.array_equal(found[:, pixels], values)


def test_keywords_in_the_primary_header_are_those_of_the_map(place):
    none = dict.fromkeys(RING)
    values = write(place, primary={**RING, "ORDERING": "RING", "SKYCOORD": "Galactic"}, **none)
    result, found, said = read(place)
    assert result.code == 0, result.error
    assert np.array_equal(found, values) and said["COORDSYS"] == "G"


def test_hdf5_headers_are_completed_alike(place):
    values = place.map("in.h5", NSIDE, 1, NSIDE=None, ORDERING=None)
    result, _, _ = read(place, file="in.h5")
    assert result.code == 2 and "is missing" in result.error
    result, found, said = read(place, "--nside", NSIDE, "--input-ordering", "ring", "--coordsys", "C", file="in.h5")
    assert result.code == 0, result.error
    assert np.array_equal(found, values) and said["COORDSYS"] == "C"

"""Columns of Planck's files: what they can be asked for, and how results are named and squared units written."""
import h5py
import numpy as np
import pytest
from astropy.io import fits

from conftest import listed
from tiers import sweep

NSIDE = 8
COLUMNS = ["I_STOKES", "Q_STOKES", "U_STOKES", "TMASK", "PMASK", "I_STOKES_INP", "Q_STOKES_INP", "U_STOKES_INP"]


@pytest.fixture
def planck(place):
    """A file with the columns of a component map of Planck, inpainted maps last; its values."""
    values = np.random.default_rng(3).normal(size=(len(COLUMNS), 12 * NSIDE * NSIDE))
    table = fits.BinTableHDU.from_columns([fits.Column(name, "D", unit="K_CMB", array=column) for name, column in zip(COLUMNS, values)])
    table.header.update({"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": "IMPLICIT"})
    table.writeto(place.folder / "planck.fits")
    return values


def names_of(place, fields):
    """The names of map, alm and spectra of these fields, and the map."""
    place.job(f"""inputs:
  sky: {{map: planck.fits, fields: {fields}}}
steps:
  - analysis: {{map: sky, lmax: 12, out: a}}
  - spectra: {{alm: a, out: cl}}
outputs:
  sky: {{file: sky.h5}}
  a: {{file: a.h5}}
  cl: {{file: cl.h5}}
""")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "sky.h5") as file:
        map_names, values = listed(file["map"].attrs["FIELDS"]), file["map"][:]
    with h5py.File(place.folder / "a.h5") as file:
        alm_names = listed(file["alm"].attrs["FIELDS"])
    with h5py.File(place.folder / "cl.h5") as file:
        spectra = listed(file["cl"].attrs["FIELDS"])
        assert file["cl"].attrs["UNITS"] == "K_CMB^2"
    return map_names, alm_names, spectra, values


@pytest.mark.parametrize("fields", [
    "[Q_STOKES_INP, U_STOKES_INP]", *sweep("[{names: [Q_STOKES_INP, U_STOKES_INP], spin: 2}]")])
def test_inpainted_polarisation_is_named_q_u(place, planck, fields):
    map_names, alm_names, spectra, values = names_of(place, fields)
    assert (map_names, alm_names, spectra) == ("Q,U", "E,B", "EE,BB,EB")
    assert np.array_equal(values, planck[[6, 7]])


def test_inpainted_maps_are_named_t_q_u(place, planck):
    map_names, alm_names, spectra, values = names_of(place, "[I_STOKES_INP, Q_STOKES_INP, U_STOKES_INP]")
    assert (map_names, alm_names, spectra) == ("T,Q,U", "T,E,B", "TT,EE,BB,TE,EB,TB")
    assert np.array_equal(values, planck[[5, 6, 7]])


@pytest.mark.parametrize("fields", ["[I_STOKES, Q_STOKES, U_STOKES]", *sweep("[T, Q, U]")])
def test_columns_can_be_asked_for_by_their_names(place, planck, fields):
    map_names, alm_names, spectra, values = names_of(place, fields)
    assert (map_names, alm_names, spectra) == ("T,Q,U", "T,E,B", "TT,EE,BB,TE,EB,TB")
    assert np.array_equal(values, planck[[0, 1, 2]])


def test_names_that_would_be_there_twice_stay(place, planck):
    map_names, alm_names, _, values = names_of(place, "[Q, U, Q_STOKES_INP, U_STOKES_INP]")
    assert map_names == "Q,U,Q_STOKES_INP,U_STOKES_INP"
    assert alm_names == "E,B,E_Q_STOKES_INP,B_U_STOKES_INP"
    assert np.array_equal(values, planck[[1, 2, 6, 7]])


def test_a_temperature_of_air_keeps_its_name(place):
    place.map("air.h5", NSIDE, 1, FIELDS=["TEMPERATURE"])
    place.job("inputs:\n  air: {map: air.h5}\noutputs:\n  air: {file: out.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "out.h5") as file:
        assert list(file["map"].attrs["FIELDS"]) == ["TEMPERATURE"]


# tests/job has the rules.
@pytest.mark.parametrize("unit, square", [("m s**-1", "m2 s-2"), *sweep(("m/s", "m2 s-2"), ("K", "K^2"), ("", None))])
def test_units_are_squared_factor_by_factor(place, unit, square):
    place.map("wind.h5", NSIDE, 1, FIELDS=["SPEED"], UNITS=unit)
    place.job("""inputs:
  wind: {map: wind.h5}
steps:
  - analysis: {map: wind, lmax: 12, out: a}
  - spectra: {alm: a, out: cl}
outputs:
  cl: {file: cl.h5}
""")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "cl.h5") as file:
        assert file["cl"].attrs.get("UNITS") == square


def test_iau_polarisation_of_inpainted_maps_is_converted(place, planck):
    with fits.open(place.folder / "planck.fits", mode="update") as file:
        file[1].header["POLCCONV"] = "IAU"
    _, _, _, values = names_of(place, "[Q_STOKES_INP, U_STOKES_INP]")
    assert np.array_equal(values, [planck[6], -planck[7]])


def healpix_table(place, name, columns, units=None, **header):
    """A FITS map of nside 8 with these columns."""
    values = np.random.default_rng(5).normal(size=(len(columns), 12 * NSIDE * NSIDE))
    table = fits.BinTableHDU.from_columns([
        fits.Column(column, "D", unit=units, array=numbers) for column, numbers in zip(columns, values)])
    table.header.update({"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": "IMPLICIT", **header})
    table.writeto(place.folder / name, overwrite=True)
    return values


def test_a_name_is_the_column_of_that_name_before_it_is_another_name_of_a_field(place):
    values = healpix_table(place, "two_t.fits", ["I_STOKES", "TEMPERATURE", "Q_STOKES", "U_STOKES"], "K")
    for column in (0, 1):
        name = ["I_STOKES", "TEMPERATURE"][column]
        place.job(f"inputs:\n  t: {{map: two_t.fits, fields: [{name}]}}\noutputs:\n  t: {{file: {name}.h5}}\n")
        result = place.armilla("run", "job.yaml")
        assert result.code == 0, result.error
        with h5py.File(place.folder / f"{name}.h5") as file:
            assert listed(file["map"].attrs["FIELDS"]) == "T" and np.array_equal(file["map"][0], values[column])
    result = place.armilla("analysis", "two_t.fits", "--lmax", 4, "--fields", "T", "-o", "t.h5")
    assert result.code == 2
    assert "'T' is ambiguous" in result.error and "I_STOKES, TEMPERATURE: use the name of one of them" in result.error
    result = place.armilla("view", "two_t.fits", "--field", "T", "-o", "t.png")
    assert result.code == 2 and "--field T is ambiguous" in result.error


def test_a_unit_with_a_comma_is_the_unit_of_each_component(place):
    healpix_table(place, "q_u.fits", ["Q_POLARISATION", "U_POLARISATION"], "mK,thermodynamic")
    for before, after in (("q_u.fits", "q_u.h5"), ("q_u.h5", "again.fits"), ("again.fits", "again.h5")):
        assert place.armilla("convert", before, after).code == 0
    with fits.open(place.folder / "again.fits") as file:
        assert [file[1].header[f"TUNIT{i}"] for i in (1, 2)] == ["mK,thermodynamic"] * 2
    with h5py.File(place.folder / "again.h5") as file:
        assert list(file["map"].attrs["UNITS"]) == ["mK,thermodynamic"] * 2
    result = place.armilla("spectra", "again.h5", "--lmax", 8, "-o", "cl.h5")
    assert result.code == 0, result.error
    for name in ("cl.fits", "again.h5"):
        assert place.armilla("convert", "cl.h5" if name == "cl.fits" else "cl.fits", name).code == 0
    for name in ("cl.h5", "again.h5"):
        with h5py.File(place.folder / name) as file:
            assert file["cl"].attrs["UNITS"] == "(mK,thermodynamic)^2"
            assert list(file["cl"].attrs["FIELDS"]) == ["EE", "BB", "EB"]


def test_lists_of_names_and_units_separated_by_commas_are_read(place):
    place.map("old.h5", NSIDE, 2, FIELDS="A,B", UNITS="K,m/s")
    assert place.armilla("convert", "old.h5", "new.h5").code == 0
    with h5py.File(place.folder / "new.h5") as file:
        assert list(file["map"].attrs["FIELDS"]) == ["A", "B"] and list(file["map"].attrs["UNITS"]) == ["K", "m/s"]

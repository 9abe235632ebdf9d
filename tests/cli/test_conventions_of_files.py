"""Polarisation conventions and spins of files of other programs: applied by position, or asked for, never guessed."""
import h5py
import numpy as np
import pytest
from astropy.io import fits

from conftest import DATA, listed
from tiers import sweep

NSIDE, LMAX = 16, 32
# The tolerance of the analysis, relative to the map; E and B are 0.2 of T.
TOLERANCE = 1e-8


@pytest.fixture(scope="module")
def sky():
    """T, Q and U in COSMO, and T, E and B up to LMAX."""
    with fits.open(DATA / "foreign" / "sky.fits") as file:
        maps = np.array([file[1].data[name].ravel() for name in file[1].columns.names], dtype=float)
    return maps, np.load(DATA / "foreign" / "sky_alm.npy")


def write_fits(place, columns, maps, primary=None, pixels=None, **header):
    columns = [fits.Column(name, "D", array=values) for name, values in zip(columns, maps)]
    if pixels is not None:
        columns.insert(0, fits.Column("PIXEL", "J", array=pixels))
    table = fits.BinTableHDU.from_columns(columns)
    scheme = "IMPLICIT" if pixels is None else "EXPLICIT"
    table.header.update({"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": scheme, **header})
    fits.HDUList([fits.PrimaryHDU(header=fits.Header(primary or {})), table]).writeto(place.folder / "in.fits")
    return "in.fits"


def write_hdf5(place, fields, maps, **attributes):
    with h5py.File(place.folder / "in.h5", "w") as file:
        file.create_dataset("map", data=maps).attrs.update(
            {"NSIDE": NSIDE, "ORDERING": "RING", "FIELDS": fields, **attributes})
    return "in.h5"


def analyse(place, file, *options):
    """The coefficients of the file, their names and spins, and the result of the run."""
    result = place.armilla("analysis", file, "--lmax", LMAX, "--tolerance", 1e-10, *options, "-o", "alm.h5")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "alm.h5") as written:
        data = written["alm"]
        return data[:], listed(data.attrs["FIELDS"]), list(data.attrs["SPINS"]), result


def iau(maps):
    return maps * np.array([1, 1, -1])[:, None]


UNKNOWN = ["I_ML", "Q_ML_FULL", "U_ML_FULL"]


@pytest.mark.parametrize("columns, primary, options", [
    (["I_STOKES", "Q_STOKES", "U_STOKES"], False, []),
    (["T", "Q", "U"], True, []),
    (UNKNOWN, False, ["--fields", ",".join(UNKNOWN), "--spin", 2]),
    *sweep((UNKNOWN, True, ["--fields", "[I_ML, {names: [Q_ML_FULL, U_ML_FULL], spin: 2}]"]),
           (["TPOL", "QPOL", "UPOL"], False, ["--fields", "TPOL,QPOL,UPOL", "--spin", 2]))])
def test_u_in_iau_has_the_other_sign_whatever_its_name(place, sky, columns, primary, options):
    maps, alm = sky
    label = {"POLCCONV": "IAU"}
    file = write_fits(place, columns, iau(maps), label if primary else None, **({} if primary else label))
    found, *_ = analyse(place, file, *options)
    assert np.max(np.abs(found - alm)) < TOLERANCE


@pytest.mark.parametrize("fields, spins, options", [
    (["T", "G1", "G2"], [0, 2, 2], []), *sweep(("T,Q,U", None, []), (["T", "G1", "G2"], [0, 2, 2], ["--spin", 2]))])
def test_pairs_of_even_spin_in_hdf5_are_converted(place, sky, fields, spins, options):
    maps, alm = sky
    stated = {} if spins is None else {"SPINS": spins}
    found, *_ = analyse(place, write_hdf5(place, fields, iau(maps), POLCCONV="IAU", **stated), *options)
    assert np.max(np.abs(found - (alm[1:] if options else alm))) < TOLERANCE


def test_two_columns_are_a_pair_where_the_job_says_so(place, sky):
    maps, alm = sky
    found, *_ = analyse(place, write_fits(place, ["A", "B"], iau(maps)[1:], POLCCONV="IAU"), "--spin", 2)
    assert np.max(np.abs(found - alm[1:])) < TOLERANCE


def test_u_as_a_scalar_and_of_a_part_of_the_sky_is_converted(place, sky):
    maps, _ = sky
    pixels = np.arange(100, 300)
    write_fits(place, ["I_STOKES", "Q_STOKES", "U_STOKES"], iau(maps)[:, pixels], pixels=pixels, POLCCONV="IAU")
    for fields, index in (("[{name: U}]", [2]), ("[Q, U]", [1, 2])):
        place.job(f"inputs:\n  sky: {{map: in.fits, fields: {fields}, bad_data: zero}}\noutputs:\n  sky: {{file: out.h5}}\n")
        result = place.armilla("run", "job.yaml")
        assert result.code == 0, result.error
        with h5py.File(place.folder / "out.h5") as file:
            assert np.array_equal(file["map"][:, pixels], maps[index][:, pixels])


@pytest.mark.parametrize("name, spins, options, parts", [
    ("in.fits", None, ["--fields", ",".join(UNKNOWN)], ["POLCCONV = IAU", "I_ML", "--spin 2", "--spin 0"]),
    ("in.h5", [0, 1, 1], [], ["POLCCONV = IAU", "not defined for Q_ML_FULL, U_ML_FULL of spin 1", "--polcconv force=COSMO"]),
    *sweep(("in.fits", None, ["--fields", "Q_ML_FULL"], ["POLCCONV = IAU", "Q_ML_FULL"]))])
def test_iau_without_a_spin_or_with_an_odd_one_is_refused(place, sky, name, spins, options, parts):
    maps, _ = sky
    if spins:
        write_hdf5(place, UNKNOWN, maps, POLCCONV="IAU", SPINS=spins)
    else:
        write_fits(place, UNKNOWN, maps, POLCCONV="IAU")
    result = place.armilla("analysis", name, "--lmax", 4, *options, "-o", "alm.h5")
    assert result.code == 2
    for part in parts:
        assert part in result.error
    scalars = place.armilla("analysis", name, "--lmax", 4, "--fields", ",".join(UNKNOWN), "--spin", 0, "-o", "a.h5")
    assert scalars.code == 0, scalars.error


def test_convert_keeps_a_label_or_converts_to_the_one_it_writes(place, sky):
    maps, _ = sky
    for columns, out, label, expected in (
            (["I_STOKES", "Q_STOKES", "U_STOKES"], "cosmo.h5", "COSMO", maps),
            (UNKNOWN, "unknown.h5", "IAU", iau(maps)),
            (["Q_STOKES", "U_STOKES", "QU_COV"], "extra.h5", "IAU", iau(maps))):
        (place.folder / "in.fits").unlink(missing_ok=True)
        write_fits(place, columns, iau(maps), POLCCONV="IAU")
        result = place.armilla("convert", "in.fits", out)
        assert result.code == 0, result.error
        assert (label == "IAU") == ("POLCCONV = IAU is kept" in result.out + result.error)
        for name in (out, "again.h5"):
            with h5py.File(place.folder / name) as file:
                assert file["map"].attrs["POLCCONV"] == label
                assert np.array_equal(file["map"][:], expected)
            if name == out and label != "COSMO":
                assert place.armilla("convert", out, "again.fits").code == 0
                assert fits.getval(place.folder / "again.fits", "POLCCONV", 1) == label
                break
            if name == out:
                assert place.armilla("convert", out, "again.h5").code == 0


WEATHER = ["t", "q", "u", "v"]


def test_names_of_other_quantities_imply_no_spin(place, sky):
    """Specific humidity and zonal wind are no polarisation; u and v are a vector only if the job says so."""
    maps = np.concatenate([sky[0], sky[0][:1]])
    file = write_hdf5(place, WEATHER, maps)
    scalars, names, spins, result = analyse(place, file, "--fields", "q,u", "--report", "report.json")
    assert (names, spins) == ("q,u", [0, 0])
    assert "input 'map': q (spin not stated: a scalar), u (spin not stated: a scalar)" in result.out + result.error
    assert place.report("report.json")["input_fields"] == [
        {"input": "map", "polcconv": None, "fields": [
            {"field": name, "spin": 0, "stated": False} for name in ("q", "u")]}]
    alone, *_ = analyse(place, file, "--fields", "[{name: q}, {name: u}]")
    assert np.array_equal(scalars, alone)
    _, names, spins, _ = analyse(place, file, "--fields", "u,v")
    assert (names, spins) == ("u,v", [0, 0])
    _, names, spins, result = analyse(place, file, "--fields", "t,u,v", "--spin", 1)
    assert (names, spins) == ("t,E_u,B_v", [0, 1, 1])
    assert "input 'map': t (spin 0), u, v (spin 1)" in result.out + result.error


@pytest.mark.parametrize("fields, pair", [(["T", "Q", "U", "V"], "Q,U"), *sweep((["T", "Q", "U", "V"], "U,V"), (["U", "V"], "U,V"))])
def test_names_that_are_a_pair_in_jobs_are_asked_about(place, sky, fields, pair):
    file = write_hdf5(place, fields, np.concatenate([sky[0], sky[0][:1]])[:len(fields)])
    result = place.armilla("analysis", file, "--lmax", 4, "--fields", pair, "-o", "a.h5")
    spin = 2 if pair == "Q,U" else 1
    assert result.code == 2
    assert f"does not state whether they are a pair of spin {spin} or two scalars" in result.error
    assert f"set --spin {spin} or --spin 0" in result.error
    for given in (spin, 0):
        assert analyse(place, file, "--fields", pair, "--spin", given)[2] == [given, given]


def test_vectors_in_fits_keep_their_spin(place, sky):
    """The columns U and V would be the polarisation U and a scalar."""
    write_hdf5(place, ["U", "V"], sky[0][1:], SPINS=[1, 1])
    for before, after in (("in.h5", "wind.fits"), ("wind.fits", "wind.h5")):
        assert place.armilla("convert", before, after).code == 0
    with h5py.File(place.folder / "wind.h5") as file:
        data = file["map"]
        assert (listed(data.attrs["FIELDS"]), list(data.attrs["SPINS"])) == ("U,V", [1, 1])
        assert "POLCCONV" not in data.attrs


def test_inspect_lists_the_spins(place, sky):
    write_fits(place, ["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION", "HITS"], np.concatenate([sky[0], sky[0][:1]]))
    assert "spins: 0, 2, 2, not stated\n" in place.armilla("inspect", "in.fits").out


def written(place, keys):
    """The values of an input with these keys, by the names of their fields."""
    place.job(f"inputs: {{x: {{{keys}}}}}\noutputs: {{x: {{file: out.h5}}}}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    with h5py.File(place.folder / "out.h5") as file:
        data = file["map" if "map" in file else "values"]
        return dict(zip(listed(data.attrs["FIELDS"]).split(","), np.atleast_2d(data[:])))


def refused(place, keys, *parts):
    place.job(f"inputs: {{x: {{{keys}}}}}\noutputs: {{x: {{file: out.h5}}}}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 2
    for part in parts:
        assert part in result.error


@pytest.mark.parametrize("convention", ["COSMO", "IAU"])
def test_u_before_q_is_the_same_pair(place, sky, convention):
    maps, alm = sky
    _, q, u = iau(maps) if convention == "IAU" else maps
    for name, column in (("q", q), ("u", u)):
        write_fits(place, [f"{name.upper()}_POLARISATION"], [column], POLCCONV=convention)
        (place.folder / "in.fits").rename(place.folder / f"{name}.fits")
    write_fits(place, ["U_POLARISATION", "Q_POLARISATION"], [u, q], POLCCONV=convention)
    assert place.armilla("convert", "in.fits", "in.h5").code == 0
    right = {"Q": maps[1], "U": maps[2]}
    for keys in ("map: in.fits", "map: in.h5", "map: [u.fits, q.fits]", "map: in.fits, fields: [U, Q]",
                 "map: in.fits, spin: 2", "map: in.fits, columns: [U_POLARISATION, Q_POLARISATION], spin: 2"):
        found = written(place, keys)
        assert list(found) == ["Q", "U"], keys
        assert all(np.array_equal(found[name], right[name]) for name in right), keys
    found, names, *_ = analyse(place, "in.fits")
    assert names == "E,B" and np.max(np.abs(found - alm[1:])) < TOLERANCE
    refused(place, "map: in.fits, columns: [U_POLARISATION, Q_POLARISATION], fields: [Q, U]", "list them in the other order")


def test_a_component_without_its_pair(place, sky):
    maps, _ = sky
    u = -maps[2]
    for spins in ({}, {"SPINS": "2"}):
        (place.folder / "in.fits").unlink(missing_ok=True)
        write_fits(place, ["U_POLARISATION"], [u], POLCCONV="IAU", **spins)
        assert np.array_equal(written(place, "map: in.fits")["U"], maps[2])
    write_hdf5(place, ["X", "U"], np.array([u, u]), POLCCONV="IAU")
    assert np.array_equal(written(place, "map: in.h5, fields: [{name: U}]")["U"], maps[2])
    write_hdf5(place, ["G2"], np.array([u]), POLCCONV="IAU", SPINS=[2])
    refused(place, "map: in.h5", "G2, of spin 2, is the first or the second of its pair", "polcconv: {force: COSMO}")
    assert np.array_equal(written(place, "map: in.h5, polcconv: {force: COSMO}")["G2"], u)
    assert "POLCCONV = IAU is kept" in place.armilla("convert", "in.h5", "kept.h5").error


def test_a_list_in_iau_has_the_label_in_all_files(place, sky):
    maps, _ = sky
    for name, column, header in (("t", 0, {}), ("q", 1, {"POLCCONV": "IAU"}), ("u", 2, {})):
        write_fits(place, [name.upper()], iau(maps)[[column]], **header)
        (place.folder / "in.fits").rename(place.folder / f"{name}.fits")
    refused(place, "map: [t.fits, q.fits, u.fits]", "'u.fits' has no POLCCONV", "'q.fits' has POLCCONV = IAU",
            "polcconv: IAU")
    found = written(place, "map: [t.fits, q.fits, u.fits], polcconv: IAU")
    assert np.array_equal(np.array([found[name] for name in "TQU"]), maps)


@pytest.mark.parametrize("primary", [True, False])
def test_catalogues_have_their_convention_in_either_header(place, primary):
    values = np.arange(20.)
    table = fits.BinTableHDU.from_columns(
        [fits.Column(name, "D", array=0.1 + 0.1 * values) for name in ("THETA", "PHI")] +
        [fits.Column(name, "D", array=values) for name in ("Q_POLARISATION", "U_POLARISATION")])
    first = fits.PrimaryHDU()
    (first if primary else table).header.update({"POLCCONV": "IAU", "COORDSYS": "G"})
    fits.HDUList([first, table]).writeto(place.folder / "cat.fits")
    place.job("inputs: {x: {values: cat.fits}}\nsteps:\n- adjoint_synthesis_at: {values: x, lmax: 2, out: a}\n"
              "outputs: {x: {file: out.h5}, a: {file: a.h5}}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "out.h5") as file:
        assert np.array_equal(file["values"][:], [values, -values])
        assert file["values"].attrs["COORDSYS"] == "G"

"""Maps in FITS beyond one plain table: in a later extension, over several extensions or files, and compressed. Right
values: the numbers that astropy wrote."""
import ctypes
import ctypes.util
import gzip
import os
import shutil

import h5py
import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")

from tiers import RANKS

NSIDE = 8
PIXELS = 12 * NSIDE**2
HEALPIX = {"PIXTYPE": "HEALPIX", "ORDERING": "RING", "NSIDE": NSIDE, "INDXSCHM": "IMPLICIT"}


def numbers(components=3):
    return np.random.default_rng(5).normal(size=(components, PIXELS))


def table(name, columns, **cards):
    """A table with these columns, by name; pixel numbers are integers."""
    made = fits.BinTableHDU.from_columns([
        fits.Column(key, "J" if np.issubdtype(values.dtype, np.integer) else "D", array=values)
        for key, values in columns.items()], name=name)
    made.header.update(cards)
    return made


def write(path, *tables, primary={}):
    first = fits.PrimaryHDU()
    first.header.update(primary)
    fits.HDUList([first, *tables]).writeto(path)


def copied(place, fields, *options, given="in.fits", ranks=0, keys=""):
    """The map that a job reads, in the order of `fields`."""
    names = "" if fields is None else f", fields: [{fields}]"
    place.job(f"inputs: {{sky: {{map: {given}{names}{keys}}}}}\noutputs: {{sky: {{file: out.h5}}}}\n")
    result = place.armilla("run", "job.yaml", *options, ranks=ranks)
    assert result.code == 0, result.error
    with h5py.File(place.folder / "out.h5") as file:
        return file["map"][:]


def refused(place, given, *parts, keys=""):
    place.job(f"inputs: {{sky: {{map: {given}{keys}}}}}\noutputs: {{sky: {{file: out.h5}}}}\n")
    result = place.armilla("run", "job.yaml")
    assert result.code == 2
    (error,) = result.errors()
    for part in parts:
        assert part in error


def test_the_map_is_found_behind_a_table_of_text(place):
    values = numbers()
    text = fits.BinTableHDU.from_columns([fits.Column("KEY", "8A", array=["a", "b"])], name="HISTORY")
    write(place.folder / "in.fits", text, table("MAP", dict(zip(["I_ML", "Q_ML_FULL", "U_ML_FULL"], values)), **HEALPIX))
    assert np.array_equal(copied(place, "I_ML, Q_ML_FULL, U_ML_FULL"), values)
    assert "healpix nside 8" in place.armilla("inspect", "in.fits").out


def test_keywords_in_the_primary_header(place):
    values = numbers(1)
    write(place.folder / "in.fits", table("ARCHIVE MAP TABLE", {"TEMPERATURE": values[0]}),
          primary={key: value for key, value in HEALPIX.items() if key != "INDXSCHM"})
    assert np.array_equal(copied(place, None), values)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("fields", ["'T, Q, U'", "'Q, U'"])
def test_components_in_several_cut_sky_extensions(place, ranks, fields):
    """As HEALPix writes them: columns PIXEL, SIGNAL, N_OBS, SERROR in each, and other pixels in the last."""
    values = numbers()
    pixels = np.arange(0, PIXELS, 2, dtype=np.int32)
    cards = {**HEALPIX, "INDXSCHM": "EXPLICIT", "OBJECT": "PARTIAL"}
    tables = []
    for name, component in zip(("TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"), values):
        chosen = pixels[::-1] if name.startswith("U") else pixels
        tables.append(table(name, {"PIXEL": chosen, "SIGNAL": component[chosen], "N_OBS": np.ones_like(chosen),
                                   "SERROR": np.ones(chosen.size)}, **cards))
    write(place.folder / "in.fits", *tables)
    found = copied(place, fields.strip("'"), ranks=ranks, keys=", bad_data: zero")
    right = np.zeros_like(values)
    right[:, ::2] = values[:, ::2]
    assert np.array_equal(found, right if len(found) == 3 else right[1:])


@pytest.mark.parametrize("cards", [{"POLCCONV": "IAU"}, {"COORDSYS": "C"}, {"ORDERING": "NESTED"}])
def test_extensions_that_contradict_each_other_are_refused(place, cards):
    values = numbers(2)
    write(place.folder / "in.fits", table("Q", {"Q_STOKES": values[0]}, COORDSYS="G", **HEALPIX),
          table("U", {"U_STOKES": values[1]}, **{**HEALPIX, "COORDSYS": "G", **cards}))
    ((keyword, value),) = cards.items()
    refused(place, "in.fits", "extension 2 with U", f"{keyword} = {value}", "hdu: 2")
    assert np.array_equal(copied(place, "Q_STOKES", keys=", hdu: 1, spin: 0"), values[:1])


@pytest.fixture
def planck(place):
    """Q and U in extensions, each with a mask, then another Q and a beam."""
    values = numbers(2)
    mask = np.ones(PIXELS, dtype=np.int32)
    write(place.folder / "in.fits",
          table("Q-MAP", {"Q_STOKES": values[0], "PMASK": mask}, **HEALPIX),
          table("U-MAP", {"U_STOKES": values[1], "PMASK": mask}, **HEALPIX),
          table("OTHER", {"Q_STOKES": 7 * values[0]}, **HEALPIX),
          table("BEAMWF", {"INT_BEAM": np.ones(5), "POL_BEAM": np.ones(5)}))
    return values


def test_q_and_u_in_two_extensions(place, planck):
    assert np.array_equal(copied(place, "Q, U"), planck)


@pytest.mark.parametrize("hdu", ["3", "OTHER", "other"])
def test_an_extension_by_number_or_name(place, planck, hdu):
    assert np.array_equal(copied(place, None, keys=f", spin: 0, hdu: {hdu}"), 7 * planck[:1])
    result = place.armilla("spectra", "in.fits", "--spin", 0, "--hdu", hdu, "--lmax", 4, "-o", "cl.h5")
    assert result.code == 0, result.error


def test_extensions_that_do_not_exist(place, planck):
    listed = "its extensions are 1 (Q-MAP), 2 (U-MAP), 3 (OTHER), 4 (BEAMWF)"
    refused(place, "in.fits", "in.fits' has no HDU '9'", listed, keys=", hdu: 9")
    refused(place, "in.fits", "in.fits' has no HDU 'MAP'", listed, keys=", hdu: MAP")
    refused(place, "in.fits", "HDU '0' is not a table", keys=", hdu: 0")
    refused(place, "sky.h5", "is an HDF5 file, which has no HDU '1': remove 'hdu'", keys=", hdu: 1")


def write_component(path, name, values, **cards):
    write(path, table("MAP", {name: values}, **{**HEALPIX, **cards}))


@pytest.mark.parametrize("ranks", RANKS)
def test_a_list_of_files_is_a_list_of_components(place, ranks):
    values = numbers()
    write_component(place.folder / "q.fits", "Q_STOKES", values[0])
    write_component(place.folder / "u.fits", "U_STOKES", values[1])
    write_component(place.folder / "nested.fits", "U_STOKES", values[1], ORDERING="NESTED")
    assert np.array_equal(copied(place, "Q, U", given="[q.fits, u.fits]", ranks=ranks), values[:2])
    assert np.array_equal(copied(place, "Q, U", given="[u.fits, q.fits]", ranks=ranks), values[:2])
    assert np.array_equal(copied(place, None, given="[q.fits, u.fits]", ranks=ranks), values[:2])
    healpy = pytest.importorskip("healpy")
    found = copied(place, "Q, U", given="[q.fits, nested.fits]", ranks=ranks)
    assert np.array_equal(found, [values[0], healpy.reorder(values[1], n2r=True)])


def test_files_of_a_list_must_match(place):
    values = numbers()
    write_component(place.folder / "q.fits", "Q_STOKES", values[0], COORDSYS="G")
    write_component(place.folder / "u.fits", "U_STOKES", values[1], COORDSYS="C")
    write(place.folder / "small.fits", table("MAP", {"U_STOKES": values[1][:192]}, **{**HEALPIX, "NSIDE": 4}))
    refused(place, "[q.fits, u.fits]", "u.fits' has COORDSYS C, but", "q.fits' has G")
    refused(place, "[q.fits, small.fits]", "small.fits' has the grid healpix nside 4, but")
    refused(place, "[]", "is empty: expected a file, or a list of files")


def test_patterns_in_a_list(place):
    values = np.random.default_rng(6).normal(size=(3, 2, PIXELS))
    for number in range(3):
        write_component(place.folder / f"q_{number}.fits", "Q_STOKES", values[number, 0])
        write_component(place.folder / f"u_{number}.fits", "U_STOKES", values[number, 1])
    assert np.array_equal(copied(place, "Q, U", given='["q_{0..2}.fits", "u_?.fits"]'), values)
    refused(place, '["q_{0..2}.fits", "u_{0..1}.fits"]', "each must match equally many files")
    refused(place, '["q_{0..2}.fits", u_0.fits]', "each must match equally many files")
    refused(place, '[u_0.fits, "q_{0..2}.fits"]', "each must match equally many files")


def compress(source, target):
    with open(source, "rb") as plain, gzip.open(target, "wb") as packed:
        shutil.copyfileobj(plain, packed)


@pytest.mark.parametrize("ranks", RANKS)
def test_files_compressed_with_gzip(place, ranks):
    values = numbers()
    write(place.folder / "in.fits", table("MAP", dict(zip(["I_STOKES", "Q_STOKES", "U_STOKES"], values)), **HEALPIX))
    compress(place.folder / "in.fits", place.folder / "in.fits.gz")
    assert np.array_equal(copied(place, None, given="in.fits.gz", ranks=ranks), values)
    assert "healpix nside 8" in place.armilla("inspect", "in.fits.gz").out
    assert not [name for name in os.listdir("/dev/shm") if name.startswith(".armilla-")]


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
def test_compressed_files_are_inflated_once(place):
    write(place.folder / "in.fits", table(None, {"TEMPERATURE": numbers(1)[0]}, **HEALPIX))
    for name in ("one", "m1", "m2"):
        compress(place.folder / "in.fits", place.folder / f"{name}.fits.gz")
    trace = ("strace", "-f", "-qq", "-e", "trace=memfd_create", "-o", "trace")
    for count, arguments in ((1, ["analysis", "one.fits.gz", "--lmax", 4, "-o", "alm.h5"]),
                             (2, ["scale", "m{1..2}.fits.gz", "--factor", 2, "-o", "s_{}.h5"]),
                             (1, ["inspect", "one.fits.gz"])):
        result = place.armilla(*arguments, prefix=trace)
        if "ptrace" in result.error:
            pytest.skip("ptrace is not permitted")
        assert result.code == 0, result.error
        assert (place.folder / "trace").read_text().count('memfd_create("armilla"') == count


def test_damaged_gzip_files(place):
    values = numbers(1)
    write_component(place.folder / "in.fits", "I_STOKES", values[0])
    compress(place.folder / "in.fits", place.folder / "in.fits.gz")
    whole = (place.folder / "in.fits.gz").read_bytes()
    (place.folder / "short.fits.gz").write_bytes(whole[:-3000])
    refused(place, "short.fits.gz", "short.fits.gz' is truncated or damaged")
    (place.folder / "cut.fits").write_bytes((place.folder / "in.fits").read_bytes()[:9000])
    compress(place.folder / "cut.fits", place.folder / "cut.fits.gz")
    refused(place, "cut.fits.gz", "cut.fits.gz' is truncated: HDU 1 ends at byte")
    compress(place.folder / "sky.h5", place.folder / "sky.h5.gz")
    refused(place, "sky.h5.gz", "is compressed with gzip, which is read only if it contains FITS")


def test_contents_larger_than_memory_are_refused(place):
    write_component(place.folder / "in.fits", "I_STOKES", numbers(1)[0])
    with open(place.folder / "in.fits", "ab") as file:
        file.write(bytes(2880 * 30000))
    compress(place.folder / "in.fits", place.folder / "in.fits.gz")
    place.job("inputs: {sky: {map: in.fits.gz}}\noutputs: {sky: {file: out.h5}}\n")
    result = place.armilla("run", "job.yaml", variables={"ARMILLA_MEMORY_LIMIT": "100M"})
    assert result.code == 3
    assert "inflates to more than 50.0 MiB" in result.errors()[0]


def pack_tables(source, target):
    """What fpack -table does."""
    cfitsio = ctypes.CDLL(ctypes.util.find_library("cfitsio"))
    status = ctypes.c_int(0)
    plain, packed = ctypes.c_void_p(), ctypes.c_void_p()
    done = ctypes.byref(status)
    cfitsio.ffdkopn(ctypes.byref(plain), str(source).encode(), 0, done)
    cfitsio.ffdkinit(ctypes.byref(packed), str(target).encode(), done)
    cfitsio.ffcopy(plain, packed, 0, done)
    cfitsio.ffmahd(plain, 2, None, done)
    cfitsio.fits_compress_table(plain, packed, done)
    cfitsio.ffclos(plain, done)
    cfitsio.ffclos(packed, done)
    assert status.value == 0


@pytest.mark.parametrize("ranks", RANKS)
def test_tables_compressed_with_fpack(place, ranks):
    values = numbers()
    write(place.folder / "in.fits", table("MAP", dict(zip(["I_STOKES", "Q_STOKES", "U_STOKES"], values)), **HEALPIX))
    pack_tables(place.folder / "in.fits", place.folder / "in.fits.fz")
    assert fits.getheader(place.folder / "in.fits.fz", 1)["ZTABLE"]
    assert np.array_equal(copied(place, None, given="in.fits.fz", ranks=ranks), values)


@pytest.mark.parametrize("keyword, value", [("ZNAXIS1", 7), ("ZNAXIS2", 5), ("ZTILELEN", 0), ("ZTILELEN", 767),
                                            ("ZFORM1", "'2D'"), ("ZCTYP1", "'RICE_1'"), (None, None)])
def test_compressed_tables_that_are_damaged_are_refused(place, keyword, value):
    """cfitsio takes the sizes of its buffers from the header."""
    write(place.folder / "in.fits", table("MAP", {"TEMPERATURE": numbers(1)[0]}, **HEALPIX))
    pack_tables(place.folder / "in.fits", place.folder / "in.fits.fz")
    packed = bytearray((place.folder / "in.fits.fz").read_bytes())
    if keyword is None:
        stream = packed.rindex(b"\x1f\x8b")
        packed[stream + 40:stream + 60] = bytes(20)
    else:
        card = packed.index(keyword.ljust(8).encode() + b"=")
        packed[card:card + 80] = f"{keyword:8}= {value}".ljust(80).encode()
    (place.folder / "in.fits.fz").write_bytes(packed)
    result = place.armilla("inspect", "in.fits.fz")
    assert result.code == 2
    assert "compressed table" in result.errors()[0] and "damaged" in result.errors()[0]


def cells_of_the_sky(nside):
    """Cells of several nside that cover the sphere once, in random order: number, value."""
    rng = np.random.default_rng(8)
    numbers = []
    pending = [(1, pixel) for pixel in range(12)]
    while pending:
        size, pixel = pending.pop()
        if size < nside and rng.random() < 0.6:
            pending += [(2 * size, 4 * pixel + child) for child in range(4)]
        else:
            numbers.append(4 * size**2 + pixel)
    numbers = rng.permutation(np.array(numbers))
    return numbers, rng.normal(size=numbers.size)


@pytest.mark.parametrize("ranks", RANKS)
def test_multi_order_maps_are_flattened(place, ranks):
    """Right values: the mean over the pixels of the finest nside, in NESTED order."""
    healpy = pytest.importorskip("healpy")
    finest = 16
    cells, values = cells_of_the_sky(finest)
    flat = np.full(12 * finest**2, np.nan)
    for cell, value in zip(cells, values):
        nside = 2 ** ((int(cell).bit_length() - 3) // 2)
        share = (finest // nside) ** 2
        flat[(cell - 4 * nside**2) * share:][:share] = value
    assert np.isfinite(flat).all()
    write(place.folder / "sky.fits",
          table(None, {"UNIQ": cells, "PROBDENSITY": values}, PIXTYPE="HEALPIX", ORDERING="NUNIQ", COORDSYS="C",
                INDXSCHM="EXPLICIT", MOCORDER=4))
    refused(place, "sky.fits", "multi-order map", "nside 1 to 16", "nside: 16")
    listed = place.armilla("inspect", "sky.fits")
    assert listed.code == 0 and "cells of nside 1 to 16" in listed.out
    for nside in (4, 16, 32):
        right = flat.reshape(12 * min(nside, 16)**2, -1).mean(axis=1).repeat(max(nside // 16, 1)**2)
        right = right[healpy.ring2nest(nside, np.arange(right.size))]
        read = copied(place, None, given="sky.fits", keys=f", nside: {nside}", ranks=ranks)
        np.testing.assert_allclose(read.ravel(), right, rtol=1e-14, atol=1e-15)
    refused(place, "sky.fits", "nside = 12 is not a power of two", keys=", nside: 12")
    refused(place, "sky.fits", "NUNIQ", "remove ordering", keys=", nside: 16, ordering: ring")
    copied(place, None, given="sky.fits", keys=", nside: 4, ordering: {force: ring}")
    options = ["--fwhm-arcmin", 600, "-o", "smooth.h5"]
    assert place.armilla("smooth", "sky.fits", "--nside", 4, *options).code == 0
    with h5py.File(place.folder / "smooth.h5") as file:
        assert file["map"].shape[-1] == 12 * 4**2
    assert "such as --nside 16" in place.armilla("smooth", "sky.fits", *options).error


def test_cells_that_are_missing_overlap_or_do_not_exist(place):
    def cells(path, *numbers):
        write(place.folder / path,
              table(None, {"UNIQ": np.array(numbers), "PROBDENSITY": np.arange(1., 1 + len(numbers))},
                    PIXTYPE="HEALPIX", ORDERING="NUNIQ"))
    cells("part.fits", *range(4, 15), 4 * 4 + 45)  # 11 base pixels, and the second of the four children of the last
    read = copied(place, None, given="part.fits", keys=", nside: 1, bad_data: keep").ravel()
    assert read == pytest.approx(np.arange(1., 13))
    read = copied(place, None, given="part.fits", keys=", nside: 2, bad_data: keep").ravel()
    assert np.count_nonzero(read == -1.6375e30) == 3
    cells("overlap.fits", *range(4, 16), 4 * 4 + 45)
    refused(place, "overlap.fits", "overlap, 15 and 61", keys=", nside: 2")
    cells("wrong.fits", 3)
    refused(place, "wrong.fits", "contains 3", keys=", nside: 2")


def test_stated_spins_are_those_of_their_table(place):
    values = numbers()
    write(place.folder / "in.fits",
          table("WIND", {"Q": values[1], "U": values[2]}, SPINS="0,0", **HEALPIX),
          table("AIR", {"TEMPERATURE": values[0]}, **HEALPIX))
    assert np.array_equal(copied(place, None), values[[1, 2, 0]])
    with h5py.File(place.folder / "out.h5") as file:
        assert list(file["map"].attrs["SPINS"]) == [0, 0, 0]


def test_infinite_values_for_bad_data_mark_no_other_pixels(place):
    values = numbers(1)
    write(place.folder / "in.fits", table(None, {"TEMPERATURE": values[0]}, BAD_DATA="inf", **HEALPIX))
    for keys in ("", ", bad_value: {force: .inf}"):
        assert np.array_equal(copied(place, None, keys=keys), values)


def test_a_forced_nside_where_a_map_is_analysed_first(place):
    write(place.folder / "in.fits", table(None, {"TEMPERATURE": numbers(1)[0]}, **{**HEALPIX, "NSIDE": 4}))
    result = place.armilla("smooth", "in.fits", "--nside", f"force={NSIDE}", "--fwhm-arcmin", 600, "-o", "out.h5")
    assert result.code == 0, result.error
    result = place.armilla("smooth", "in.fits", "--nside", "force=x", "--fwhm-arcmin", 600, "-o", "out.h5")
    assert result.code == 2 and "is not an integer" in result.error

"""armilla inspect: its JSON, each map of many, and files that are no data of jobs."""
import importlib.util
import json
import pathlib

import h5py
import numpy as np
import pytest

fits = pytest.importorskip("astropy.io.fits")

BATCH = """steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 12, seed: 5, maps: 3, out: a}
  - synthesis: {alm: a, grid: {healpix: {nside: 8}}, out: m}
  - spectra: {alm: a, out: cl}
outputs:
  a: {file: a.h5}
  m: {file: m.h5}
  cl: {file: cl.h5}
"""


@pytest.fixture
def batch(place):
    """Three maps with their coefficients and spectra, of which number 1 is then left out."""
    place.job(BATCH)
    assert place.armilla("run", "job.yaml", "--quiet").code == 0
    for name in ("a.h5", "m.h5", "cl.h5"):
        with h5py.File(place.folder / name, "r+") as file:
            file["present"][1] = 0
    return place


def records(place, *files, code=0):
    result = place.armilla("inspect", "--json", *files)
    assert result.code == code, result.error
    document = json.loads(result.out)
    assert document["version"] == 1 and [record["file"] for record in document["files"]] == list(files)
    return document["files"]


def table(path, columns, **header):
    hdu = fits.BinTableHDU.from_columns([fits.Column(name, "1D", array=np.zeros(rows)) for name, rows in columns])
    hdu.header.update(header)
    hdu.writeto(path)


def test_json_has_what_the_text_shows_of_a_map(place):
    def spoil(values):
        values[1, [0, 10]] = np.nan
        values[1, 20] = -1.6375e30
    values = place.map("holes.h5", 8, 3, spoil, UNITS="mK", COORDSYS="G", POLCCONV="COSMO", SPINS=[0, 2, 2])
    record, = records(place, "holes.h5")
    assert record["kind"] == "map" and record["format"] == "HDF5" and record["precision"] == "float64"
    assert record["grid"] == {"text": "healpix nside 8", "kind": "healpix", "whole": True, "nside": 8, "pixels": 768,
                              "rings": 31}
    assert (record["ordering"], record["analysis_lmax"], record["coordsys"], record["polcconv"]) == \
        ("RING", 23, "G", "COSMO")
    assert record["accurate_lmax"] == 23 and record["quadrature_error"] == pytest.approx(0.15, rel=0.1)
    assert record["fields"][1] == {"field": "Q", "unit": "mK", "spin": 2}
    assert record["batch"] is None and len(record["maps"]) == 1
    q = record["maps"][0]["values"][1]
    good = np.delete(values[1], [0, 10, 20])
    assert [q[key] for key in ("min", "max", "mean", "rms", "f_sky")] == \
        pytest.approx([good.min(), good.max(), good.mean(), np.sqrt(np.mean(good**2)), 765 / 768], rel=1e-12)
    assert (q["field"], q["good"], q["not_finite"], q["bad"]) == ("Q", 765, 2, 1)
    assert "fields, as named in jobs: T, Q, U\n" in place.armilla("inspect", "holes.h5").out


def test_a_map_without_good_pixels_has_no_numbers(place):
    place.map("none.h5", 8, 1, lambda values: values.fill(np.nan))
    value = records(place, "none.h5")[0]["maps"][0]["values"][0]
    assert [value[key] for key in ("min", "max", "mean", "rms")] == [None] * 4
    assert value["f_sky"] == 0 and value["not_finite"] == 768
    assert place.armilla("inspect", "none.h5").out.splitlines()[-1].split()[1:5] == ["none"] * 4


def test_the_fraction_of_the_sky_counts_pixels_that_a_part_lacks(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\n"
              "  - synthesis: {alm: a, grid: {healpix: {nside: 8, theta_deg: [0, 90]}}, out: m}\n"
              "outputs:\n  m: {file: part.h5}\n")
    result = place.armilla("run", "job.yaml", "--quiet")
    assert result.code == 0, result.error
    record, = records(place, "part.h5")
    assert not record["grid"]["whole"] and record["analysis_lmax"] is None
    share = record["grid"]["pixels"] / 768
    assert 0.4 < share < 0.6 and record["maps"][0]["values"][0]["f_sky"] == pytest.approx(share)


def test_limits_of_a_grid_are_shown_and_what_exceeds_the_accurate_one_is_warned_of(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\n"
              "  - synthesis: {alm: a, grid: octahedral:64, out: m}\noutputs:\n  m: {file: reduced.h5}\n")
    result = place.armilla("run", "job.yaml", "--quiet")
    assert result.code == 0, result.error
    record, = records(place, "reduced.h5")
    assert record["analysis_lmax"] == 63 and record["accurate_lmax"] == 32 and 0.1 < record["quadrature_error"] < 0.4
    text = place.armilla("inspect", "reduced.h5").out
    assert "largest lmax for analysis: 63\nexpected error of quadrature there: 0." in text
    assert "largest lmax accurate to 1e-10: 32\n" in text
    for lmax, warns in ((32, False), (60, True)):
        result = place.armilla("analysis", "reduced.h5", "--lmax", lmax, "-o", "alm.h5", "--quiet")
        assert result.code == 0 and ("lower lmax to 32, or set --tolerance 1e-8" in result.error) == warns
    job = place.armilla("analysis", "reduced.h5", "-o", "alm.h5", "--print-job").out
    assert "lmax: 32" in job or "lmax" not in job
    assert place.armilla("regrid", "reduced.h5", "--grid", "gauss:64", "-o", "full.h5", "--quiet").error == ""


def test_each_map_of_a_batch_is_shown(batch):
    maps, alm, spectra = records(batch, "m.h5", "a.h5", "cl.h5")
    for record in (maps, alm, spectra):
        assert record["batch"] == {"maps": 3, "present": 2}
        assert [(one["map"], one["present"], "values" in one) for one in record["maps"]] == \
            [(0, True, True), (1, False, False), (2, True, True)]
    with h5py.File(batch.folder / "m.h5") as file:
        assert maps["maps"][2]["values"][1]["mean"] == pytest.approx(file["map"][2, 1].mean(), abs=1e-12)
    with h5py.File(batch.folder / "a.h5") as file:
        assert alm["maps"][2]["values"][0]["max"] == pytest.approx(abs(file["alm"][2, 0]).max())
    with h5py.File(batch.folder / "cl.h5") as file:
        assert spectra["maps"][2]["values"][0]["max"] == pytest.approx(file["cl"][2, 0].max())
    assert (alm["lmax"], alm["coefficients"], spectra["lmax"]) == (12, 91, 12)
    for name, fields in (("m.h5", "TQU"), ("a.h5", "TEB"), ("cl.h5", ["TT", "EE", "BB", "TE", "EB", "TB"])):
        lines = batch.armilla("inspect", name).out.splitlines()
        assert "batch axis: 3 maps, 2 present" in lines
        rows = [line.split()[0] for line in lines[lines.index("map 0"):]]
        assert rows == ["map", *fields, "map", "map", *fields] and "map 1: left out" in lines
    result = batch.armilla("inspect", "cl.h5", "--columns", "A,B,C,D,E,F")
    assert result.code == 2 and "--columns does not apply to 'cl.h5'" in result.error


def test_one_document_for_all_files_says_which_cannot_be_read(place):
    table(place.folder / "odd.fits", [("X", 5), ("Y", 5)])
    result = place.armilla("inspect", "--json", "sky.h5", "odd.fits", "dl.dat", "none.h5")
    assert result.code == 2 and len(result.errors()) == 2
    sky, odd, dl, none = json.loads(result.out)["files"]
    assert sky["kind"] == "map" and dl["kind"] == "spectra" and dl["lmax"] == 64
    assert "its columns are X, Y" in odd["error"] and "No such file" in none["error"]
    text = place.armilla("inspect", "sky.h5", "odd.fits", "dl.dat")
    assert text.code == 2 and "healpix nside 8" in text.out and "l = 0 .. 64" in text.out and len(text.errors()) == 1


def test_json_of_points_and_rings(place):
    (place.folder / "p.csv").write_text("ra,dec,T\n10,-90,1\n350,45,3\n")
    with h5py.File(place.folder / "rings.h5", "w") as file:
        grid = file.create_group("grid")
        grid["theta"], grid["phi0"], grid["nphi"] = [1.0, 2.0], [0.0, 0.0], [4, 4]
    points, rings = records(place, "p.csv", "rings.h5")
    assert points["kind"] == "points" and points["points"] == 2 and points["places"] == ["ra", "dec"]
    assert points["longitude_deg"] == pytest.approx([10, 350]) and points["latitude_deg"] == pytest.approx([-90, 45])
    value = points["maps"][0]["values"][0]
    assert (value["field"], value["mean"], value["good"]) == ("T", 2, 2)
    assert (rings["kind"], rings["rings"], rings["pixels"], rings["sum_of_weights"]) == ("rings", 2, 8, None)


def test_tables_of_healpix_are_named(place):
    table(place.folder / "ring.fits", [("TEMPERATURE WEIGHTS", 64), ("Q-POLARISATION WEIGHTS", 64)], NSIDE=32)
    table(place.folder / "pixel.fits", [("COMPRESSED PIXEL WEIGHTS", 100)], NSIDE=16)
    table(place.folder / "window.fits", [("TEMPERATURE", 33), ("POLARIZATION", 33)], NSIDE=8, EXTNAME="PIXEL WINDOW")
    for name, what, nside in (("ring.fits", "ring weights", 32), ("pixel.fits", "pixel weights", 16),
                              ("window.fits", "pixel window", 8)):
        record, = records(place, name)
        assert (record["kind"], record["what"], record["nside"]) == ("healpix_table", what, nside)
        result = place.armilla("inspect", name)
        assert result.code == 0 and f"HEALPix {what}, FITS, nside {nside}, " in result.out
    result = place.armilla("view", "ring.fits", "-o", "a.png")
    assert result.code == 2 and "contains HEALPix ring weights (nside 32): not a job input" in result.errors()[0]


def test_weights_of_healpy_are_named(place):
    healpy = importlib.util.find_spec("healpy")
    folders = ([pathlib.Path(healpy.origin).parent / "data"] if healpy else []) + [pathlib.Path("/usr/share/healpy/data")]
    files = [folder / "weight_ring_n00032.fits" for folder in folders if (folder / "weight_ring_n00032.fits").exists()]
    if not files:
        pytest.skip("healpy has no ring weights here")
    result = place.armilla("inspect", files[0])
    assert result.code == 0 and "HEALPix ring weights, FITS, nside 32, 64 rows" in result.out

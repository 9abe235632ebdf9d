"""Options of input files on the command line: for all files of a command, or for that of one operand."""
import h5py
import numpy as np
import pytest

NSIDE = 4


def run(place, *arguments, code=0):
    result = place.armilla(*arguments)
    assert result.code == code, result.error
    return result


def read(place, name, dataset="map"):
    with h5py.File(place.folder / name) as file:
        return file[dataset][:]


@pytest.fixture
def sky(place):
    """sky.h5 and other.h5, with constants 2 and 3 as T and random Q, U; masks.h5, two masks by name; sky_alm.h5."""
    place.map("sky.h5", NSIDE, 3, lambda values: values[0].fill(2))
    place.map("other.h5", NSIDE, 3, lambda values: values[0].fill(3))
    place.map("masks.h5", NSIDE, 2, lambda values: (values[0].fill(0), values[1].__setitem__(slice(None), np.arange(192) > 60)),
              FIELDS=["GAL020", "GAL060"])
    run(place, "analysis", "sky.h5", "--lmax", 8, "-o", "sky_alm.h5", "--quiet")
    place.remember()
    return place


class TestOptionsOfAllFiles:
    def test_the_monopole_of_both_is_removed(self, sky):
        run(sky, "spectra", "sky.h5", "--with", "other.h5", "-o", "cl.h5", "--quiet")
        # C_0 of the constants 2 and 3 is 4 pi 2 3, to the error of three iterations on HEALPix.
        assert read(sky, "cl.h5", "cl")[0, 0] == pytest.approx(24 * np.pi, rel=1e-3)
        run(sky, "spectra", "sky.h5", "--with", "other.h5", "--remove-monopole", "--fields", "T", "-o", "cl.h5", "--quiet")
        assert read(sky, "cl.h5", "cl").shape[0] == 1 and abs(read(sky, "cl.h5", "cl")[0, 0]) < 1e-20

    def test_of_one_file(self, sky):
        run(sky, "spectra", "sky.h5", "--with", "other.h5", "--with.remove-monopole", "-o", "cl.h5", "--quiet")
        assert abs(read(sky, "cl.h5", "cl")[0, 0]) < 1e-12
        job = run(sky, "spectra", "sky.h5", "--with", "other.h5", "--remove-monopole", "--with.no-remove-monopole",
                  "--alm.fields", "Q,U", "--with.spin", 2, "--with.lmax", 7, "--lmax", 9, "-o", "cl.h5", "--print-job").out
        assert "map: {map: sky.h5, remove_monopole: true, fields: [Q, U]}" in job
        assert "with: {map: other.h5, remove_monopole: false, spin: 2}" in job
        assert "{map: map, lmax: 9" in job and "{map: with, lmax: 7" in job

    def test_bad_data_of_both(self, sky):
        for name in ("sky.h5", "other.h5"):
            with h5py.File(sky.folder / name, "r+") as file:
                file["map"][0, 7] = np.nan
        run(sky, "spectra", "sky.h5", "--with", "other.h5", "--bad-data", "zero", "-o", "cl.h5", "--quiet")

    def test_alm_of_both(self, sky):
        job = run(sky, "add", "sky_alm.h5", "--with", "sky_alm.h5", "--lmax", 5, "--convention", "{norm: 4pi}", "-o", "a.h5",
                  "--print-job").out
        assert job.count("{alm: sky_alm.h5, lmax: 5, convention: {norm: 4pi}}") == 2


class TestMasks:
    def test_the_column_of_a_mask(self, sky):
        run(sky, "mask", "sky.h5", "--fields", "T,Q,U", "--mask", "masks.h5", "--mask.fields", "GAL060", "-o", "m.h5", "--quiet")
        assert np.array_equal(read(sky, "m.h5"), read(sky, "sky.h5") * (np.arange(192) > 60))

    def test_the_monopole_of_a_mask_stays(self, sky):
        job = run(sky, "mask", "sky.h5", "--remove-monopole", "--mask", "masks.h5", "--mask.fields", "GAL060", "-o", "m.h5",
                  "--print-job").out
        assert "mask: {map: masks.h5, fields: [GAL060]}" in job

    def test_a_file_with_its_own_keys(self, sky):
        job = run(sky, "analysis", "sky.h5", "--lmax", 4, "--method", "{cg: {mask: good}}", "--input",
                  "good={map: masks.h5, fields: [GAL060]}", "-o", "a.h5", "--print-job").out
        assert "good: {map: masks.h5, fields: [GAL060]}" in job


@pytest.mark.parametrize("arguments, part", [
    (["spectra", "sky_alm.h5", "--remove-monopole", "-o", "a.h5"],
     "--remove-monopole applies to maps only, and this command reads none: remove it"),
    (["mask", "sky.h5", "--mask", "masks.h5", "--with.fields", "T", "-o", "a.h5"], "has no option --with.fields"),
    (["spectra", "sky_alm.h5", "--with", "sky_alm.h5", "--with.bad-data", "zero", "-o", "a.h5"],
     "--with.bad-data applies to maps only, but sky_alm.h5 is an alm: remove it"),
])
def test_what_is_refused(sky, arguments, part):
    errors = run(sky, *arguments, code=2).errors()
    assert len(errors) == 1 and part in errors[0]


def test_the_help_lists_them_in_one_sentence(place):
    text = " ".join(run(place, "mask", "--help").out.split())
    assert "Options of one file: --map.KEY, --mask.KEY, such as --mask.fields" in text and "--mask.bad-data" not in text


class TestSmoothing:
    """Right values: healpy 1.16 smooths a map with UNSEEN pixels as the map with zeros, and restores UNSEEN."""

    def test_bad_pixels_are_bad_in_the_result(self, sky):
        values = read(sky, "sky.h5")
        bad = np.zeros(values.shape[1], bool)
        bad[[3, 77, 150]] = True
        sky.map("cut.h5", NSIDE, 3, lambda new: (new.__setitem__(slice(None), values), new.__setitem__((slice(None), bad), np.nan)))
        sky.map("zero.h5", NSIDE, 3, lambda new: (new.__setitem__(slice(None), values), new.__setitem__((slice(None), bad), 0)))
        result = run(sky, "smooth", "cut.h5", "--fwhm-arcmin", 900, "--bad-data", "zero", "-o", "s.h5")
        assert "bad pixels are 0 in the analysis, and bad in the result" in result.error
        run(sky, "smooth", "zero.h5", "--fwhm-arcmin", 900, "-o", "expected.h5", "--quiet")
        found, expected = read(sky, "s.h5"), read(sky, "expected.h5")
        assert np.all(found[:, bad] == -1.6375e30) and np.array_equal(found[:, ~bad], expected[:, ~bad])

    def test_without_the_option_the_map_is_rejected(self, sky):
        sky.map("cut.h5", NSIDE, 1, lambda values: values.__setitem__((0, 5), np.nan))
        assert "set --bad-data zero" in run(sky, "smooth", "cut.h5", "--fwhm-arcmin", 900, "-o", "s.h5", code=2).errors()[0]

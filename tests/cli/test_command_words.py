"""Messages of one-line commands name options and files; those of jobs name keys."""
import h5py
import numpy as np
import pytest


def refused(place, *arguments):
    result = place.armilla(*arguments)
    assert result.code == 2 and len(result.errors()) == 1, result.error
    return result.errors()[0]


@pytest.fixture
def sky(place):
    place.map("other.h5", 4, 3)
    place.map("masks.h5", 8, 2, FIELDS=["GAL020", "GAL060"])
    place.map("cut.h5", 8, 1, lambda values: values.__setitem__((0, 5), np.nan))
    for lmax in (6, 8):
        assert place.armilla("analysis", "sky.h5", "--lmax", lmax, "-o", f"alm{lmax}.h5", "--quiet").code == 0
    return place


@pytest.mark.parametrize("arguments, parts, absent", [
    (["analysis", "sky.h5", "--lmax", 40],
     ["--lmax = 40 exceeds 3 nside - 1 = 23", "or set --allow-aliasing"], "allow_aliasing"),
    (["rotate", "alm8.h5", "--to", "C"], ["alm8.h5 does not specify its coordinates", "set --from galactic"], "from:"),
    (["analysis", "cut.h5", "--lmax", 4], ["cut.h5 has 1 NaN", "set --bad-data zero"], "bad_data"),
    (["mask", "sky.h5", "--mask", "masks.h5"],
     ["--mask: masks.h5 has the components GAL020, GAL060: select some with --mask.fields"], "inputs."),
    (["add", "alm8.h5", "--with", "alm6.h5"], ["--with = alm6.h5 has lmax 6, mmax 6, but alm8.h5 has lmax 8, mmax 8",
                                               "armilla resize"], "'alm'"),
    (["add", "sky.h5", "--with", "other.h5"], ["--with = other.h5 is on healpix nside 4, but sky.h5 is on healpix nside 8"], "'map'"),
    (["spectra", "alm8.h5", "--with", "alm6.h5", "--with.fields", "T"], ["has the fields T, but alm8.h5 has T, E, B"], "'alm'"),
    (["analysis", "sky.h5", "--lmax", 8, "--method", "{cg: {mask: good}}"],
     ["good is not defined", "Or define --input good=FILE"], "inputs."),
    (["random_alm", "--spectrum", "dl.dat", "--fields", "T", "--lmax", 8], ["set --spectrum-kind dl", "--spectrum-kind cl"],
     "spectrum_kind"),
])
def test_a_command_is_answered_with_options(sky, arguments, parts, absent):
    said = refused(sky, *arguments, "-o", "out.h5")
    for part in parts:
        assert part in said, said
    assert absent not in said, said


def test_a_job_is_answered_with_keys(sky):
    sky.job("inputs:\n  m: {map: sky.h5}\n  masks: {map: masks.h5}\nsteps:\n  - mask: {map: m, mask: masks, out: x}\n"
            "outputs:\n  x: {file: x.h5}\n")
    assert "inputs.masks: masks.h5 has the components GAL020, GAL060: select some with fields" in refused(sky, "run", "job.yaml")
    sky.job("inputs:\n  m: {map: sky.h5}\nsteps:\n  - analysis: {map: m, lmax: 40, out: x}\noutputs:\n  x: {file: x.h5}\n")
    assert "or set allow_aliasing: true" in refused(sky, "run", "job.yaml")


def test_warnings_name_options(sky):
    with h5py.File(sky.folder / "sky.h5", "r+") as file:
        file["map"].attrs["UNITS"] = "K,K,K"
    result = sky.armilla("scale", "sky.h5", "--factor", "1e6", "-o", "out.h5")
    assert result.code == 0 and "--factor = 1000000 leaves the unit K" in result.error and "set --units" in result.error

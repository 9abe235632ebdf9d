"""inspect, convert, view, and the help of the program."""
import h5py
import numpy as np
import pytest

from tiers import sweep


def read_map(path):
    with h5py.File(path) as file:
        return file["map"][:]


@pytest.mark.parametrize("verb", [[], ["run"], ["bench"], *sweep(["plan"], ["inspect"], ["convert"], ["view"])])
def test_help_fits_a_screen_and_has_an_example(place, verb):
    result = place.armilla(*verb, "--help")
    assert result.code == 0
    lines = result.out.splitlines()
    # Benchmarks are of three kinds, plans describe a job, a machine and a command for Slurm, and others a header.
    assert len(lines) <= (24 if verb in ([], ["run"]) else 32)
    assert max(map(len, lines)) <= 100
    assert any(line.startswith("Example: ") and "armilla" in line for line in lines)


def test_version_names_compiler_cuda_and_libraries(place):
    result = place.armilla("--version")
    assert result.code == 0
    for part in ("armilla ", "compiler: ", "GPUs: ", "MPI ", "HDF5 ", "CFITSIO ", "FFTW ", "Eigen "):
        assert part in result.out


def test_inspect_says_what_a_map_holds(place):
    def spoil(values):
        values[1, [0, 10]] = np.nan
        values[1, 20] = -1.6375e30
    values = place.map("holes.h5", 8, 3, spoil, UNITS="mK", COORDSYS="G", POLCCONV="COSMO")
    result = place.armilla("inspect", "holes.h5")
    assert result.code == 0, result.error
    for part in ("healpix nside 8", "768 pixels", "RING", "coordinates: G", "polarisation: COSMO", "float64"):
        assert part in result.out
    rows = {line.split()[0]: line.split() for line in result.out.splitlines() if line[:2] in ("T ", "Q ", "U ")}
    good = values[1][np.isfinite(values[1]) & (values[1] > -1e30)]
    numbers = [float(word) for word in rows["Q"][-7:]]
    # printed with six digits
    assert numbers[:5] == pytest.approx([good.min(), good.max(), np.sqrt(np.mean(good**2)), good.mean(), 765 / 768],
                                        rel=1e-5)
    assert numbers[5:] == [2, 1]
    assert [float(word) for word in rows["U"][-2:]] == [0, 0]


def test_inspect_says_what_alm_and_spectra_hold(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 12, mmax: 9, out: a}\n"
              "  - spectra: {alm: a, out: cl}\noutputs:\n  a: {file: a.fits}\n  cl: {file: cl.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    alm = place.armilla("inspect", "a.fits")
    assert "lmax 12, mmax 9, 85 coefficients" in alm.out
    spectra = place.armilla("inspect", "cl.h5")
    assert "l = 0 .. 12" in spectra.out
    for name in ("TT", "EE", "BB", "TE", "EB", "TB"):
        assert f"\n{name} " in spectra.out


def test_conversions_and_back_keep_every_bit(place):
    values = place.map("a.h5", 8, 3, lambda v: v.__setitem__((0, 5), np.nan), COORDSYS="E", POLCCONV="COSMO")
    for arguments in (["a.h5", "b.fits", "--ordering", "nested"], ["b.fits", "c.h5"],
                      ["c.h5", "d.fits", "--ordering", "ring"], ["d.fits", "e.h5"]):
        result = place.armilla("convert", *arguments)
        assert result.code == 0, result.error
    assert "NESTED" in place.armilla("inspect", "c.h5").out
    assert "RING" in place.armilla("inspect", "e.h5").out
    assert np.array_equal(read_map(place.folder / "e.h5"), values, equal_nan=True)
    assert not np.array_equal(read_map(place.folder / "c.h5"), values, equal_nan=True)


def test_precision_can_be_changed(place):
    values = place.map("a.h5", 8, 1)
    assert place.armilla("convert", "a.h5", "b.h5", "--precision", "single").code == 0
    single = read_map(place.folder / "b.h5")
    assert single.dtype == np.float32
    assert np.array_equal(single, values.astype(np.float32))
    assert place.armilla("convert", "b.h5", "c.h5", "--precision", "double").code == 0
    assert read_map(place.folder / "c.h5").dtype == np.float64


def test_numbers_beyond_single_precision_are_not_converted(place):
    place.map("large.h5", 8, 1, lambda v: v.__setitem__((0, 5), 1e50))
    place.remember()
    result = place.armilla("convert", "large.h5", "b.h5", "--precision", "single")
    assert result.code == 2 and "1 values exceed the range of single precision" in result.errors()[0]
    assert place.leftovers() == []


def test_a_picture_replaces_no_data(place):
    before = (place.folder / "sky.h5").read_bytes()
    for name in ("sky.h5", "new.h5", "picture", "sky.eps"):
        result = place.armilla("view", "sky.h5", "-o", name)
        assert result.code == 2 and "a name that ends in .png, .svg or .pdf" in result.errors()[0]
    (place.folder / "sky.png").symlink_to("sky.h5")
    result = place.armilla("view", "sky.h5", "-o", "sky.png")
    assert result.code == 2 and "both input and output" in result.errors()[0]
    assert (place.folder / "sky.h5").read_bytes() == before


def test_what_cannot_be_converted_is_refused(place):
    result = place.armilla("convert", "sky.h5", "sky.h5")
    assert result.code == 2 and "both input and output" in result.errors()[0]
    result = place.armilla("convert", "sky.h5", "sky.png")
    assert result.code == 2 and ".fits" in result.errors()[0]
    result = place.armilla("convert", "dl.dat", "cl.fits", "--ordering", "ring")
    assert result.code == 2 and "--ordering applies to HEALPix maps" in result.errors()[0]


def test_dry_run_writes_nothing(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\noutputs:\n  a: {file: a.h5}\n")
    place.remember()
    result = place.armilla("run", "job.yaml", "--dry-run", ranks=2)
    assert result.code == 0, result.error
    assert "2 ranks" in result.out and "healpix nside 8" in result.out and "a.h5 (about" in result.out
    assert place.leftovers() == []


def test_dry_run_of_a_job_for_gpus_needs_none(place):
    if "visible: " in place.armilla("--version").out:
        pytest.skip("there is a GPU")
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\noutputs:\n  a: {file: a.h5}\n"
              "execution: {backend: cuda}\n")
    place.remember()
    result = place.armilla("run", "job.yaml", "--dry-run")
    assert result.code == 0, result.error
    assert "device/rank" in result.out and "no GPU is visible here" in result.out
    assert "predicted peak device memory per rank: " in result.out and " is needed; no GPU is visible here" in result.out
    assert place.leftovers() == []


def test_quiet_is_quiet(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\noutputs:\n  a: {file: a.h5}\n")
    result = place.armilla("run", "job.yaml", "--quiet")
    assert (result.code, result.out, result.error) == (0, "", "")


@pytest.mark.parametrize("option, word, known", [("--ordering", "nest", "nested or ring"),
                                                 *sweep(("--precision", "half", "double or single"))])
def test_words_of_options_are_named(place, option, word, known):
    result = place.armilla("convert", "sky.h5", "a.h5", option, word)
    assert result.code == 2 and f"{option}: '{word}' is not a valid value: use {known}" in result.errors()[0]


@pytest.mark.parametrize("arguments, said", [
    (("spectra", "sky.h5", "-o", "cl.csv"), "'.csv' is not supported for spectra: use .h5, .hdf5, .fits, .fit, or .dat or .txt"),
    *sweep((("smooth", "sky.h5", "--fwhm-arcmin", 60, "-o", "a.csv"),
            "text files can contain only spectra and values at points: use .h5"),
           (("smooth", "sky.h5", "--fwhm-arcmin", 60, "-o", "a.nc"), "the extension '.nc' is not supported: use .h5")),
])
def test_formats_of_text_are_named(place, arguments, said):
    result = place.armilla(*arguments)
    assert result.code == 2 and said in result.errors()[0], result.error

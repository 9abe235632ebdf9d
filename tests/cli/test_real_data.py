"""Real maps against what HEALPix's Fortran programs made of them, and Earth's heights."""
import shutil

import h5py
import numpy as np
import pytest

from conftest import DATA, SOURCE, Workplace

JOB = SOURCE / "config" / "jobs" / "wmap.yaml"
MAPS = {"W": SOURCE / "config" / "data" / "wmap7_W_iqu_nside32.fits", "V": DATA / "wmap" / "wmap7_V_iqu_nside32.fits"}
MASK = DATA / "wmap" / "wmap7_mask_nside32.fits"


def read_table(path):
    """Text of spectra: a line of names, then rows."""
    lines = path.read_text().splitlines()
    names = [line for line in lines if line.startswith("#")][-1].lstrip("# ").split()
    return dict(zip(names, np.loadtxt(path).T))


@pytest.fixture(scope="module")
def wmap(tmp_path_factory):
    """WMAP maps as anafast saw them: masked, in files of their own with BAD_DATA."""
    place = Workplace(tmp_path_factory.mktemp("wmap"))
    for file, out in ((MAPS["W"], "W.h5"), (MAPS["V"], "V.h5"), (MASK, "mask.h5")):
        assert place.armilla("convert", file, out, "--ordering", "ring", "--precision", "double").code == 0
    with h5py.File(place.folder / "mask.h5") as file:
        good = file["map"][0] > 0.5
    for band in MAPS:
        with h5py.File(place.folder / f"{band}.h5", "r+") as file:
            values = file["map"][:]
            values[:, ~good] = -1.6375e30
            file["map"][:] = values
    return place


# Map and spectra are float32, 2^-24 = 6e-8 each, and C_l is a sum over 12288 pixels of products of two such numbers, with
# foregrounds 100 times the rms of the rest near the mask: 2^-24 * 100 = 6e-6, relative to sqrt(C_XX C_YY), as a cross
# spectrum may be near zero. The monopole is rounding alone; E and B begin at l = 2.
TOLERANCE = 6e-6


@pytest.fixture(scope="module")
def spectra(wmap):
    """Of the W band, and the cross spectrum with the V band."""
    analysis = "lmax: 64, method: {jacobi: {iterations: 3}}"
    wmap.job("inputs:\n" + "".join(f"  {name}: {{map: {file}, bad_data: zero, remove_monopole: true}}\n" for name, file in (
        ("sky", "W.h5"), ("w", "W.h5, fields: [T]"), ("v", "V.h5, fields: [T]"))) + "steps:\n" + "".join(
            f"  - analysis: {{map: {name}, {analysis}, out: a_{name}}}\n" for name in ("sky", "w", "v"))
        + "  - spectra: {alm: a_sky, out: cl}\n  - spectra: {alm: a_w, with: a_v, out: cross}\n"
          "outputs:\n  cl: {file: cl.dat}\n  cross: {file: cross.dat}\n")
    result = wmap.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    return wmap


# claims: step spectra
def test_wmap_spectra_are_those_of_anafast(spectra):
    fortran = DATA / "wmap" / "anafast_fortran_W_iqu_lmax64_rmmono_iter3.fits"
    assert spectra.armilla("convert", fortran, "fortran.dat").code == 0
    found, expected = read_table(spectra.folder / "cl.dat"), read_table(spectra.folder / "fortran.dat")
    assert len(expected["TT"]) == 65
    for name in ("TT", "EE", "BB", "TE", "TB", "EB"):
        scale = np.sqrt(expected[name[0] * 2] * expected[name[1] * 2])[2:]
        assert np.max(np.abs(found[name] - expected[name])[2:] / scale) < TOLERANCE, name


def test_wmap_with_v_band_gives_the_cross_spectrum_of_anafast(spectra):
    fortran = DATA / "wmap" / "anafast_fortran_WxV_ii_lmax64_rmmono_iter3.fits"
    assert spectra.armilla("convert", fortran, "fortran_cross.dat").code == 0
    found, expected = read_table(spectra.folder / "cross.dat")["TT"], read_table(spectra.folder / "fortran_cross.dat")["TT"]
    assert np.max(np.abs(found / expected - 1)[2:]) < TOLERANCE


def test_first_job_of_the_readme_is_the_example_file():
    text = (SOURCE / "README.md").read_text()
    block = text.split("```yaml\n", 1)[1].split("```", 1)[0]
    assert block == JOB.read_text().split("\n", 1)[1], "README.md and config/jobs/wmap.yaml differ"


# claims: step synthesis, step smooth
def test_first_job_of_the_readme_smooths_as_healpix_does(place):
    for name, path in (("jobs", JOB), ("data", MAPS["W"])):
        (place.folder / name).mkdir()
        shutil.copy(path, place.folder / name)
    result = place.armilla("run", "jobs/wmap.yaml", ranks=2)
    assert result.code == 0, result.error
    fortran = DATA / "wmap" / "smoothing_fortran_W_iqu_10deg.fits"
    assert place.armilla("convert", fortran, "fortran.h5", "--ordering", "ring").code == 0
    assert (place.folder / "jobs" / "sky_alm.fits").is_file()
    with h5py.File(place.folder / "jobs" / "smoothed.h5") as a, h5py.File(place.folder / "fortran.h5") as b:
        found, expected = a["map"][:], b["map"][:]
    for c in range(3):
        rms = np.sqrt(np.mean(expected[c].astype(float) ** 2))
        assert np.sqrt(np.mean((found[c] - expected[c]) ** 2)) / rms < 5e-6  # float32 on both sides, as above


def test_earth_has_its_mountains_and_its_deep_sea(place):
    place.job(f"inputs:\n  earth: {{alm: {DATA}/topography/earth_topography_lmax300_alm.fits}}\n"
              "steps:\n  - synthesis: {alm: earth, grid: {gauss: {nlat: 301}}, out: m}\noutputs:\n  m: {file: m.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "m.h5") as file:
        heights, theta = file["map"][0].reshape(301, -1), np.degrees(file["grid/theta"][:])
    # "about" in the README: the pixel is up to 0.3 degrees off the place
    for longitude, latitude, height in ((88, 33, 5046), (-150, 0, -4208)):
        ring, pixel = np.argmin(np.abs(theta - (90 - latitude))), round(longitude % 360 / 360 * heights.shape[1])
        assert heights[ring, pixel] == pytest.approx(height, abs=100)

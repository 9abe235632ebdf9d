"""armilla view of the spectra of many maps: their mean, its band and some of them; and what cannot be drawn."""
import shutil

import h5py
import numpy as np
import pytest

from conftest import Workplace
from tiers import sweep

MAPS = 9
JOB = f"""steps:
  - random_alm: {{spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 60, seed: 5, maps: {MAPS}, out: a}}
  - spectra:    {{alm: a, out: cl}}
  - statistics: {{spectra: cl, out: stats}}
outputs:
  cl:    {{file: cl.h5}}
  stats: {{file: stats.h5}}
"""


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    place = Workplace(tmp_path_factory.mktemp("spectra"))
    place.job(JOB)
    assert place.armilla("run", "job.yaml", "--quiet").code == 0
    return place.folder


@pytest.fixture
def spectra(place, computed):
    """A copy of the files, which tests change."""
    for name in ("cl.h5", "stats.h5"):
        shutil.copy(computed / name, place.folder)
    return place


def picture(place, file, *arguments, code=0):
    result = place.armilla("view", file, "-o", "a.png", "--width", "600", *arguments)
    assert result.code == code, result.error
    return (place.folder / "a.png").read_bytes() if code == 0 else result.errors()[0]


def edit(place, change, name="cl.h5"):
    with h5py.File(place.folder / name, "r+") as file:
        change(file)


def test_spectra_of_many_maps_and_their_statistics_are_drawn(spectra):
    """With the lines of single maps, and without; a band of the covariance."""
    all_maps = picture(spectra, "cl.h5", "--field", "TT,EE")
    statistics = picture(spectra, "stats.h5", "--field", "TT,EE")
    assert all_maps[:4] == b"\x89PNG" and statistics[:4] == b"\x89PNG" and all_maps != statistics
    edit(spectra, lambda file: file["covariance"].__setitem__(Ellipsis, 0), "stats.h5")
    assert picture(spectra, "stats.h5", "--field", "TT,EE") != statistics


def test_both_have_one_mean_and_band(spectra):
    """Maps that scatter by one number each: what is computed of them is what the statistics hold, so that two files of
    statistics, one made here, give one picture."""
    with h5py.File(spectra.folder / "cl.h5") as file:
        cl = file["cl"][:]
    with h5py.File(spectra.folder / "stats.h5") as file:
        np.testing.assert_allclose(file["mean"][:], cl.mean(axis=0), rtol=1e-12, atol=1e-12 * abs(cl).max())
        said = dict(file["cl"].attrs)
    covariance = [np.cov(cl[:, k], rowvar=False) for k in range(6)]
    with h5py.File(spectra.folder / "own.h5", "w") as file:
        file.create_dataset("cl", data=cl.mean(axis=0)).attrs.update(said)
        file["covariance"] = np.array(covariance)
        file["count"] = [MAPS]
    assert picture(spectra, "own.h5", "--field", "TT,EE,BB") == picture(spectra, "stats.h5", "--field", "TT,EE,BB")


def test_maps_that_were_left_out_are_not_drawn(spectra):
    """The picture is that of a file without them."""
    there = np.arange(MAPS) % 4 != 1

    def leave_out(file):
        file["present"][:] = there
        for i in np.flatnonzero(~there):
            file["cl"][i] = np.nan

    edit(spectra, leave_out)
    drawn = picture(spectra, "cl.h5")
    with h5py.File(spectra.folder / "cl.h5") as file, h5py.File(spectra.folder / "few.h5", "w") as few:
        few.create_dataset("cl", data=file["cl"][:][there]).attrs.update(dict(file["cl"].attrs))
    assert picture(spectra, "few.h5") == drawn
    edit(spectra, lambda file: file["present"].__setitem__(Ellipsis, 0))
    assert f"all {MAPS} maps were left out" in picture(spectra, "cl.h5", code=2)


def test_the_spectra_of_one_map_on_a_batch_axis_are_drawn(spectra):
    with h5py.File(spectra.folder / "cl.h5") as file, h5py.File(spectra.folder / "one.h5", "w") as one:
        one.create_dataset("cl", data=file["cl"][:1]).attrs.update(dict(file["cl"].attrs))
    assert picture(spectra, "one.h5")[:4] == b"\x89PNG"


@pytest.mark.parametrize("change, said", [
    (lambda file: (file.__delitem__("covariance"), file.create_dataset("covariance", data=np.zeros((6, 5, 5)))),
     "do not match 6 spectra of 61 degrees"),
    *sweep((lambda file: file["cl"].attrs.__delitem__("FIELDS"), "lacks attribute FIELDS"),
           (lambda file: file.__delitem__("count"), "count"))])
def test_damaged_statistics_are_refused(spectra, change, said):
    edit(spectra, change, "stats.h5")
    error = picture(spectra, "stats.h5", code=2)
    assert "stats.h5" in error and said in error
    assert not (spectra.folder / "a.png").exists()

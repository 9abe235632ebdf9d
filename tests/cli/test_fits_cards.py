"""Cards of FITS files: who wrote them, and checksums as astropy computes them."""
import warnings

import pytest

from conftest import Workplace

fits = pytest.importorskip("astropy.io.fits")

JOB = """inputs:
  sky: {map: sky.h5, fields: [T, Q, U]}
  places: {points: places.csv}
steps:
  - analysis: {map: sky, lmax: 14, out: a}
  - synthesis: {alm: a, grid: {healpix: {nside: 8, theta_deg: [0, 70]}}, out: part}
  - spectra: {alm: a, out: cl}
  - synthesis_at: {alm: a, points: places, out: values}
outputs:
  sky: {file: map.fits}
  part: {file: part.fits}
  a: {file: a.fits, precision: single}
  cl: {file: cl.fits}
  values: {file: values.fits}
"""
FILES = {"map.fits": 2, "part.fits": 2, "a.fits": 4, "cl.fits": 2, "values.fits": 2}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    place = Workplace(tmp_path_factory.mktemp("cards"))
    (place.folder / "places.csv").write_text("theta,phi\n0.5,1\n1.5,2\n2.5,3\n")
    place.job(JOB)
    result = place.armilla("run", "job.yaml")
    assert result.code == 0, result.error
    return place


@pytest.mark.parametrize("name", FILES)
def test_every_hdu_has_its_creator_and_valid_checksums(written, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with fits.open(written.folder / name, checksum=True) as file:
            assert len(file) == FILES[name]
            for hdu in file:
                header = hdu.header
                assert header["CREATOR"].startswith("armilla ")
                assert len(header["CHECKSUM"]) == 16 and int(header["DATASUM"]) >= 0
                assert hdu.verify_checksum() == 1 and hdu.verify_datasum() == 1
                # Neither cards nor comments with a date: equal content has equal bytes.
                assert "DATE" not in header
                assert not any(":" in header.comments[key] for key in ("CHECKSUM", "DATASUM"))


def test_a_changed_byte_is_found(written):
    data = bytearray((written.folder / "map.fits").read_bytes())
    path = written.folder / "changed.fits"
    data[-3000] ^= 1
    path.write_bytes(data)
    with pytest.warns(Warning, match="Datasum|Checksum"):
        with fits.open(path, checksum=True) as file:
            len(file)

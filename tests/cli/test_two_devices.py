"""Ranks on the second GPU of a machine: threads that never chose a device must not use the first one. On the emulated
device, which refuses work from a thread that has chosen another device."""
from conftest import EMULATED

JOB = """
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 6, maps: 6, out: sky}
  - smooth:     {alm: sky, fwhm_arcmin: 120, out: smooth_sky}
  - synthesis:  {alm: smooth_sky, grid: {healpix: {nside: 8}}, out: map}
  - analysis:   {map: map, lmax: 16, method: {jacobi: {iterations: 2}}, out: found}
  - spectra:    {alm: found, out: cl}
outputs:
  map: {file: maps.h5}
  cl:  {file: "cl_{}.fits"}
execution: {backend: cuda, batch: 2}
"""


def results(place, emulation, ranks):
    done = place.armilla("run", "job.yaml", ranks=ranks, threads=2, program=EMULATED,
                         variables={"ARMILLA_EMULATION": emulation})
    assert done.code == 0, done.error
    return {path.name: path.read_bytes() for path in place.folder.iterdir() if path.suffix in (".h5", ".fits")}


def test_a_campaign_on_two_devices(place):
    place.job(JOB)
    one = results(place, "devices=1", 2)
    assert len(one) > 7
    assert results(place, "devices=2", 2) == one

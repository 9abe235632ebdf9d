"""The step lens on the emulated device: the map of the CPU, on any number of ranks, within the memory announced."""
import json

import h5py
import numpy as np
import pytest

from conftest import EMULATED

JOB = """
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 6, out: sky}
  - select:     {alm: sky, fields: [T], out: drawn}
  - scale:      {alm: drawn, factor: 1.0e-3, out: potential}
  - lens:       {alm: sky, potential: potential, grid: {healpix: {nside: 16}}, out: lensed}
outputs:
  lensed: {file: lensed.h5}
execution: {backend: %s}
"""


def lensed(place, backend, ranks=1, *options):
    place.job(JOB % backend)
    done = place.armilla("run", "job.yaml", "--report", "report.json", *options, ranks=ranks, program=EMULATED,
                         variables={"ARMILLA_CACHE_DIR": str(place.folder / "cache")})
    assert done.code == 0, done.error
    with h5py.File(place.folder / "lensed.h5") as file:
        return file["map"][:]


@pytest.mark.parametrize("precision, tolerance", [("double", 1e-12), ("single", 2e-6)])
def test_a_lensed_map_on_the_device(place, precision, tolerance):
    option = ("--set", "execution.precision=" + precision)
    by_cpu = lensed(place, "cpu", 1, *option)
    alone = lensed(place, "cuda", 1, *option)
    assert np.sqrt(np.mean((alone - by_cpu) ** 2) / np.mean(by_cpu ** 2)) < tolerance
    assert not np.array_equal(alone, by_cpu)
    assert np.array_equal(lensed(place, "cuda", 3, *option), alone)
    report = json.loads((place.folder / "report.json").read_text())
    assert report["backend"] == "cuda"


def test_a_dry_run_announces_the_device(place):
    place.job(JOB % "cuda")
    done = place.armilla("run", "job.yaml", "--dry-run", program=EMULATED)
    assert done.code == 0, done.error
    assert "GPU" in done.out

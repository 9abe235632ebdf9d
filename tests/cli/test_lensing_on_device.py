"""The steps lens and lens_adjoint on the emulated device: the results of the CPU, on any number of ranks."""
import json
import re

import h5py
import numpy as np
import pytest

from conftest import EMULATED
from test_lensing import distance
from tiers import sweep

JOB = """
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, seed: 6, out: sky}
  - select:     {alm: sky, fields: [T], out: drawn}
  - scale:      {alm: drawn, factor: 1.0e-3, out: potential}
  - lens:       {alm: sky, potential: potential, grid: {healpix: {nside: 16}}, out: lensed}
  - lens_adjoint: {map: lensed, potential: potential, lmax: 30, out: back}
outputs:
  lensed: {file: lensed.h5}
  back: {file: back.h5}
execution: {backend: %s}
"""


def lensed(place, backend, ranks=1, *options):
    place.job(JOB % backend)
    done = place.armilla("run", "job.yaml", "--report", "report.json", *options, ranks=ranks, program=EMULATED,
                         variables={"ARMILLA_CACHE_DIR": str(place.folder / "cache")})
    assert done.code == 0, done.error
    with h5py.File(place.folder / "lensed.h5") as file, h5py.File(place.folder / "back.h5") as back:
        return file["map"][:], back["alm"][:]


@pytest.mark.parametrize("precision, tolerance, ranks", [
    ("double", 1e-12, 2), *sweep(("double", 1e-12, 3), ("single", 2e-6, 3))])
def test_a_lensed_map_on_the_device(place, precision, tolerance, ranks):
    option = ("--set", "execution.precision=" + precision)
    by_cpu = lensed(place, "cpu", 1, *option)
    alone = lensed(place, "cuda", 1, *option)
    for one, expected in zip(alone, by_cpu):
        assert distance(one, expected) < tolerance
    of_many = lensed(place, "cuda", ranks, *option)
    assert np.array_equal(of_many[0], alone[0])
    assert distance(of_many[1], alone[1]) < tolerance
    report = json.loads((place.folder / "report.json").read_text())
    assert report["backend"] == "cuda"


def test_a_dry_run_announces_the_device(place):
    place.job(JOB % "cuda")
    done = place.armilla("run", "job.yaml", "--dry-run", program=EMULATED)
    assert done.code == 0, done.error
    line = next(line for line in done.out.splitlines() if "lens: 'sky' " in line)
    assert re.search(r"^ +[\d.]+ MiB +[\d.]+ MiB  steps", line), line

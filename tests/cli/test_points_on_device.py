"""Steps at points on the emulated device: the values and coefficients of the CPU, on any number of ranks, without a
step that transforms maps."""
import json

import h5py
import numpy as np
import pytest

from conftest import EMULATED
from test_lensing import distance
from tiers import sweep

JOB = """
inputs:
  places: {points: points.h5}
steps:
  - random_alm:           {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 30, seed: 6, out: sky}
  - synthesis_at:         {alm: sky, points: places, accuracy: 1.0e-6, out: v}
  - adjoint_synthesis_at: {values: v, lmax: 20, mmax: 20, accuracy: 1.0e-6, out: b}
  - analysis_at:          {values: v, lmax: 6, accuracy: 1.0e-6, out: fit}
outputs:
  v: {file: v.h5}
  fit: {file: fit.h5}
  b: {file: b.h5}
execution: {backend: %s}
"""


@pytest.fixture
def scattered(place):
    random = np.random.default_rng(3)
    with h5py.File(place.folder / "points.h5", "w") as file:
        file["theta"] = np.concatenate([[0, np.pi], np.arccos(random.uniform(-1, 1, 300))])
        file["phi"] = random.uniform(-10, 10, 302)
    return place


def results(place, backend, ranks=1):
    place.job(JOB % backend)
    done = place.armilla("run", "job.yaml", "--report", "report.json", ranks=ranks, program=EMULATED,
                         variables={"ARMILLA_CACHE_DIR": str(place.folder / "cache")})
    assert done.code == 0, done.error
    assert json.loads((place.folder / "report.json").read_text())["backend"] == backend
    with h5py.File(place.folder / "v.h5") as values, h5py.File(place.folder / "b.h5") as alm:
        with h5py.File(place.folder / "fit.h5") as fit:
            return values["values"][:], alm["alm"][:], fit["alm"][:]


@pytest.mark.parametrize("ranks", [2, *sweep(3)])
def test_values_and_coefficients_on_the_device(scattered, ranks):
    by_cpu = results(scattered, "cpu")
    alone = results(scattered, "cuda")
    # Fits stop at a residual of 1e-10 or so: the condition of this one is small.
    for one, expected, tolerance in zip(alone, by_cpu, (1e-12, 1e-12, 1e-9)):
        assert distance(one, expected) < tolerance
    of_many = results(scattered, "cuda", ranks)
    assert np.array_equal(of_many[0], alone[0])
    for one, expected in zip(of_many, alone):
        assert distance(one, expected) < 1e-9

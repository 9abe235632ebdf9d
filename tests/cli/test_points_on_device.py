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
FIToutputs:
  v: {file: v.h5}
  b: {file: b.h5}
WRITTENexecution: {backend: %s}
"""
FIT = "  - analysis_at:          {values: v, lmax: 6, accuracy: 1.0e-6, out: fit}\n"


@pytest.fixture
def scattered(place):
    random = np.random.default_rng(3)
    with h5py.File(place.folder / "points.h5", "w") as file:
        file["theta"] = np.concatenate([[0, np.pi], np.arccos(random.uniform(-1, 1, 300))])
        file["phi"] = random.uniform(-10, 10, 302)
    return place


def results(place, backend, ranks=0, fit=True):
    """Values, coefficients and, where asked for, the fit of the values."""
    job = JOB.replace("FIT", FIT if fit else "").replace("WRITTEN", "  fit: {file: fit.h5}\n" if fit else "")
    place.job(job % backend)
    done = place.armilla("run", "job.yaml", "--report", "report.json", ranks=ranks, program=EMULATED,
                         variables={"ARMILLA_CACHE_DIR": str(place.folder / "cache")})
    assert done.code == 0, done.error
    assert json.loads((place.folder / "report.json").read_text())["backend"] == backend
    found = []
    for name, kind in (("v", "values"), ("b", "alm"), *([("fit", "alm")] if fit else [])):
        with h5py.File(place.folder / f"{name}.h5") as file:
            found.append(file[kind][:])
    return found


@pytest.mark.parametrize("ranks, fit", [(2, False), *sweep((3, True))])
def test_values_and_coefficients_on_the_device(scattered, ranks, fit):
    by_cpu = results(scattered, "cpu")
    alone = results(scattered, "cuda")
    # Fits stop at a residual of 1e-10 or so: the condition of this one is small.
    for one, expected, tolerance in zip(alone, by_cpu, (1e-12, 1e-12, 1e-9)):
        assert distance(one, expected) < tolerance
    of_many = results(scattered, "cuda", ranks, fit)
    assert np.array_equal(of_many[0], alone[0])
    for one, expected in zip(of_many, alone):
        assert distance(one, expected) < 1e-9

"""Tests of the Python package. Those marked mpi run under mpirun, on 1, 2 and 3 ranks; those marked emulated with the
extension that is linked with the emulated device; the others in one process."""
import numpy as np
import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "mpi: runs under mpirun on any number of ranks")
    config.addinivalue_line("markers", "emulated: needs the emulated device")
    config.addinivalue_line("markers", "sweep: of the second tier, which scripts/test.sh --all runs")


@pytest.fixture(scope="session")
def world():
    """All ranks, as mpi4py has them."""
    return pytest.importorskip("mpi4py.MPI").COMM_WORLD


def random_alm(lmax, spins=(0,), seed=1):
    """Coefficients of real fields in the order of healpy, [component][coefficient]; real for m = 0, 0 below the spin."""
    numbers = np.random.default_rng(seed)
    degree = np.concatenate([np.arange(m, lmax + 1) for m in range(lmax + 1)])
    alm = np.array([1, 1j]) @ numbers.normal(size=(2, len(spins) * len(degree)))
    alm = alm.reshape(len(spins), len(degree))
    alm[:, :lmax + 1].imag = 0
    for component, spin in zip(alm, spins):
        component[degree < spin] = 0
    return alm


def dot(a, b, lmax):
    """Sum over l and m, of both signs, of conj(a) b for coefficients of real fields."""
    factor = np.full(a.shape[-1], 2.0)
    factor[:lmax + 1] = 1
    return float(np.sum(factor * (a.conj() * b).real))

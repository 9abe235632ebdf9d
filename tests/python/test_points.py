"""armilla.PointTransform."""
import healpy as hp
import numpy as np
import pytest
from conftest import dot, random_alm

import armilla


def random_points(count, seed=5):
    numbers = np.random.default_rng(seed)
    return np.arccos(numbers.uniform(-1, 1, count)), numbers.uniform(0, 2 * np.pi, count)


def test_values_at_centres_of_pixels_are_those_of_healpy():
    lmax, pixels = 20, np.random.default_rng(4).permutation(12 * 64)[:100]
    alm = random_alm(lmax, (0, 2, 2))
    points = armilla.PointTransform(*hp.pix2ang(8, pixels), lmax, fields=["T", "Q", "U"], accuracy=1e-11)
    values = points.synthesis(alm)
    assert values.shape == points.values_shape == (3, 100)
    expected = np.array(hp.alm2map(alm, 8))[:, pixels]
    np.testing.assert_allclose(values, expected, atol=1e-9 * np.abs(expected).max())


def test_adjoint_and_arrays_in_place():
    theta, phi = random_points(50)
    points = armilla.PointTransform(theta, phi, 12, threads=1)
    alm, values = random_alm(12)[0], np.random.default_rng(6).normal(size=50)
    out = np.empty(points.alm_shape, complex)
    assert points.adjoint_synthesis(values, out=out) is out
    assert dot(alm, out, 12) == pytest.approx(np.sum(points.synthesis(alm) * values))
    np.testing.assert_array_equal(points.adjoint_synthesis(np.repeat(values, 2)[::2]), out)


def test_fit():
    theta, phi = random_points(600)
    points = armilla.PointTransform(theta, phi, 10)
    alm = random_alm(10)[0]
    found, result = points.analysis(points.synthesis(alm), inverse_variance=np.linspace(1, 2, 600))
    assert result.converged and result.residual < 1e-8 and result.condition >= 1
    np.testing.assert_allclose(found, alm, atol=1e-7)


@pytest.mark.mpi
def test_ranks(world):
    theta, phi = random_points(40)
    own = slice(world.rank, 30 if world.rank == 0 else 30 + 5 * world.rank)
    alone = armilla.PointTransform(theta[own], phi[own], 10)
    ranks = armilla.PointTransform(theta[own], phi[own], 10, comm=world)
    alm = random_alm(10)[0]
    map_side = armilla.Transform("gauss:11", 10, comm=world)
    orders = np.concatenate([np.arange(m, 11) + m * (21 - m) // 2 for m in map_side.local_m]).astype(int)
    np.testing.assert_allclose(ranks.synthesis(alm[orders]), alone.synthesis(alm), atol=1e-9)

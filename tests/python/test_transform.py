"""armilla.Transform: right values, shapes of arrays, what is copied, threads."""
import concurrent.futures
import pickle
import time
import tracemalloc

import healpy as hp
import numpy as np
import pytest
from conftest import dot, random_alm
from scipy.special import factorial, lpmv

import armilla

SPINS = (0, 2, 2)


def harmonic(grid, l, m):
    """Real part of Y_lm times 1 + (m > 0), which coefficients a_lm = 1 synthesise."""
    theta, phi = grid.angles()
    norm = np.sqrt((2 * l + 1) / (4 * np.pi) * factorial(l - m) / factorial(l + m))
    return (1 + (m > 0)) * norm * lpmv(m, l, np.cos(theta)) * np.cos(m * phi)


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-11), ("float32", 3e-5)])
def test_values_are_those_of_healpy(dtype, tolerance):
    nside, lmax = 16, 40
    alm = random_alm(lmax, SPINS)
    transform = armilla.Transform(f"healpix:{nside}", lmax, fields=["T", "Q", "U"], dtype=dtype)
    sky = transform.synthesis(alm.astype(transform.make_alm().dtype))
    assert sky.dtype == dtype and sky.shape == (3, 12 * nside**2)
    np.testing.assert_allclose(sky, hp.alm2map(alm, nside), rtol=0, atol=tolerance * np.abs(sky).max())
    expected = hp.map2alm(sky.astype(float), lmax, iter=3)
    np.testing.assert_allclose(transform.analysis(sky, iterations=3), expected, rtol=0, atol=tolerance * 10)


@pytest.mark.parametrize("text", ["gauss:20:47", "cc:33", "octahedral:20", "healpix:7"])
def test_synthesis_of_one_coefficient_is_its_harmonic(text):
    transform = armilla.Transform(text, 12, mmax=9, threads=1)
    for l, m in ((0, 0), (5, 0), (12, 9), (7, 3)):
        alm = transform.make_alm()
        alm[m * (25 - m) // 2 + l] = 1
        np.testing.assert_allclose(transform.synthesis(alm), harmonic(armilla.Grid(text), l, m), atol=1e-13)


def test_analysis_inverts_synthesis():
    alm = random_alm(31, (1, 1))
    transform = armilla.Transform("gauss:32", 31, fields=1)
    sky = transform.synthesis(alm)
    np.testing.assert_allclose(transform.analysis(sky), alm, atol=1e-12)
    np.testing.assert_allclose(armilla.Transform("cc:70", 31).analysis(
        armilla.Transform("cc:70", 31).synthesis(alm[0]), weights="ring"), alm[0], atol=1e-12)
    transform = armilla.Transform("healpix:16", 31, fields=1)
    found, result = transform.analysis_to_tolerance(transform.synthesis(alm), 1e-9)
    assert result.converged and result.iterations > 0
    assert np.abs(found - alm).max() < 1e-7


def test_adjoints():
    transform = armilla.Transform("healpix:8", 16, fields="T,Q,U")
    alm, sky = random_alm(16, SPINS), np.random.default_rng(2).normal(size=(3, 768))
    assert dot(alm, transform.adjoint_synthesis(sky), 16) == pytest.approx(np.sum(transform.synthesis(alm) * sky))
    assert dot(alm, transform.analysis(sky), 16) == pytest.approx(np.sum(transform.adjoint_analysis(alm) * sky))


def test_rotation_of_a_solid_body_and_gradient():
    # u = U sin(theta) has the vorticity 2 U cos(theta) / radius, and cos(theta) is sqrt(4 pi / 3) Y_10.
    grid = armilla.Grid("gauss:24")
    theta, _ = grid.angles()
    transform = armilla.Transform(grid, 20, fields=["U", "V"])
    wind = np.array([3 * np.sin(theta), 0 * theta])
    scalars = transform.vorticity_divergence(wind, radius=6.0)
    expected = np.zeros_like(scalars)
    expected[0, 1] = 2 * 3 / 6 * np.sqrt(4 * np.pi / 3)
    np.testing.assert_allclose(scalars, expected, atol=1e-13)
    np.testing.assert_allclose(transform.vector_fields(scalars, radius=6.0), wind, atol=1e-12)
    # The gradient of cos(theta) is -sin(theta) southward.
    slope = transform.gradient(expected[0], radius=2.0, axes="south_east")
    np.testing.assert_allclose(slope, [-np.sin(theta) / 2, 0 * theta], atol=1e-12)
    potential, wind = random_alm(20)[0], np.random.default_rng(2).normal(size=wind.shape)
    assert dot(potential, transform.adjoint_gradient(wind), 20) == pytest.approx(
        np.sum(transform.gradient(potential) * wind))


def test_axes_of_results_are_those_of_arguments():
    alm = random_alm(8)
    one = armilla.Transform("gauss:9", 8)
    assert one.synthesis(alm[0]).shape == (162,)
    assert one.synthesis(alm).shape == (1, 162)
    assert one.synthesis(alm[None]).shape == (1, 1, 162)
    two = armilla.Transform("gauss:9", 8, maps=2, fields="T,Q,U")
    given = np.array([random_alm(8, SPINS, seed) for seed in (1, 2)])
    sky = two.synthesis(given)
    assert sky.shape == two.map_shape == (2, 3, 162)
    single = armilla.Transform("gauss:9", 8, fields="T,Q,U")
    np.testing.assert_array_equal(sky[1], single.synthesis(given[1]))
    assert armilla.Transform("gauss:9", 8, maps=2).synthesis(given[:, 0]).shape == (2, 162)


def test_contiguous_arrays_are_not_copied():
    transform = armilla.Transform("healpix:64", 64)
    alm, sky = random_alm(64)[0], transform.make_map()
    alm.flags.writeable = False
    transform.synthesis(alm, out=sky)
    tracemalloc.start()
    assert transform.synthesis(alm, out=sky) is sky
    copied = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert copied < alm.nbytes / 4


def test_other_strides_and_exact_types_are_copied():
    transform = armilla.Transform("healpix:8", 12, fields="T,Q,U")
    sky = np.random.default_rng(3).integers(-9, 9, size=(3, 768)).astype(float)
    expected = transform.analysis(sky)
    for same in (np.asfortranarray(sky), sky.astype(">f8"), sky.astype("float32"), sky.astype("int16"), sky.tolist(),
                 np.repeat(sky, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(transform.analysis(same), expected)


def test_two_transforms_in_two_threads():
    alm = random_alm(256)[0]
    plans = [armilla.Transform("healpix:128", 256, threads=1) for _ in range(2)]
    expected = plans[0].synthesis(alm)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for result in pool.map(lambda plan: [plan.synthesis(alm) for _ in range(3)], plans):
            np.testing.assert_array_equal(result, [expected] * 3)


def test_one_transform_in_two_threads():
    alm = random_alm(256)[0]
    plan = armilla.Transform("healpix:128", 256, threads=1)
    expected = plan.synthesis(alm)
    refused, deadline = [], time.monotonic() + 100

    def calls(thread):
        while not refused and time.monotonic() < deadline:  # calls meet, because they release the GIL
            try:
                np.testing.assert_array_equal(plan.synthesis(alm), expected)
            except armilla.InputError as error:
                refused.append(str(error))

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(calls, range(2)))
    assert "another thread is using this object: give each thread a transform of its own" in refused[0]


def test_grids():
    grid = armilla.Grid("healpix:4")
    theta, phi = grid.angles()
    np.testing.assert_allclose((theta, phi), hp.pix2ang(4, np.arange(192)), atol=1e-15)
    assert (grid.kind, grid.nside, grid.npix, grid.rings, grid.analysis_lmax) == ("healpix", 4, 192, 15, 11)
    nodes, weights = np.polynomial.legendre.leggauss(6)
    gauss = armilla.Grid("gauss:6:11")
    np.testing.assert_allclose(np.cos(gauss.theta), nodes[::-1], atol=1e-15)
    np.testing.assert_allclose(gauss.weight, 2 * np.pi * weights, atol=1e-14)
    rings = armilla.Grid.from_rings(gauss.theta, gauss.phi0, gauss.nphi.tolist(), gauss.weight)
    part = grid.part([(2, 3), (7, 9)])
    assert part.npix == 12 + 16 + 3 * 16 and not part.has_weights and rings.has_weights
    for each in (grid, gauss, rings, part):
        assert pickle.loads(pickle.dumps(each)) == each
    assert repr(gauss) == "armilla.Grid('gauss:6:11')" and rings == gauss and rings != grid
    np.testing.assert_allclose(armilla.Transform(rings, 5).analysis(np.ones(66))[0], np.sqrt(4 * np.pi))


@pytest.mark.mpi
def test_ranks_compute_the_same_bits(world):
    alm = random_alm(24, SPINS)
    alone = armilla.Transform("healpix:9", 24, fields="T,Q,U")
    ranks = armilla.Transform("healpix:9", 24, fields="T,Q,U", comm=world)
    sky, found = alone.synthesis(alm), alone.analysis(alone.synthesis(alm), iterations=2)
    pixels = np.concatenate([np.arange(*ends) for ends in ranks.pixel_ranges]).astype(int)
    own = np.concatenate([np.arange(m, 25) + m * (49 - m) // 2 for m in ranks.local_m]).astype(int)
    assert ranks.map_shape == (3, len(pixels)) and ranks.alm_shape == (3, len(own))
    np.testing.assert_array_equal(ranks.synthesis(np.ascontiguousarray(alm[:, own])), sky[:, pixels])
    np.testing.assert_array_equal(ranks.analysis(sky[:, pixels], iterations=2), found[:, own])


@pytest.mark.mpi
def test_ranks_without_pixels_or_orders(world):
    ranks = armilla.Transform("gauss:2", 1, comm=world)
    alm = ranks.make_alm()
    alm[:] = 1
    sky = ranks.synthesis(alm)
    counts = world.allgather((sky.size, alm.size))
    assert sum(pixels for pixels, _ in counts) == 8 and sum(size for _, size in counts) == 3
    np.testing.assert_allclose(ranks.analysis(sky), alm, atol=1e-14)


@pytest.mark.mpi
def test_error_on_one_rank_raises_on_all(world):
    ranks = armilla.Transform("healpix:4", 8, comm=world)
    last = world.rank == world.size - 1
    for alm, out, text in ((np.zeros(1) if last else ranks.make_alm(), None, "alm has the shape (1,)"),
                           (ranks.make_alm(), np.zeros(2) if last else ranks.make_map(), "out has the shape (2,)")):
        with pytest.raises(armilla.InputError) as error:
            ranks.synthesis(alm, out=out)
        assert text in str(error.value)
    with pytest.raises(armilla.InputError, match="lmax = 2.5: use an integer"):
        armilla.Transform("healpix:4", 2.5 if last else 2, comm=world)

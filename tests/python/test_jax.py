"""Transforms in JAX: values beside those of numpy; derivatives beside finite differences and the definition of the
transpose."""
import concurrent.futures

import armilla
import numpy as np
import pytest
from conftest import random_alm

jax = pytest.importorskip("jax", reason="jax is not installed: pip install armilla[jax]")
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp  # noqa: E402
from armilla.jax import PointTransform, Transform  # noqa: E402

pytestmark = pytest.mark.sweep

LMAX = 7
SPINS = (0, 2, 2)
POINTS = (np.array([0.1, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, -2.0, 5.0]))


def transforms(pairs=False):
    return [Transform("healpix:4", LMAX, fields="T,Q,U", pairs=pairs),
            PointTransform(*POINTS, LMAX, fields="T,Q,U", pairs=pairs)]


def test_values():
    alm = random_alm(LMAX, SPINS)
    plans = [armilla.Transform("healpix:4", LMAX, fields="T,Q,U"), armilla.PointTransform(*POINTS, LMAX, fields="T,Q,U")]
    for mine, plan in zip(transforms(), plans):
        sky = plan.synthesis(alm)
        np.testing.assert_array_equal(mine.synthesis(alm), sky)
        np.testing.assert_array_equal(jax.jit(mine.synthesis)((alm.real, alm.imag)), sky)
        found = plan.adjoint_synthesis(sky)
        np.testing.assert_allclose(mine.adjoint_synthesis(sky), found, atol=1e-12)
    np.testing.assert_array_equal(transforms()[0].analysis(plans[0].synthesis(alm)),
                                  plans[0].analysis(plans[0].synthesis(alm)))
    assert "lmax 7, fields T,Q,U" in repr(transforms()[0]) and transforms()[0].map_shape == (3, 192)
    single = transforms()[0].synthesis(alm.astype("complex64"))
    assert single.dtype == jnp.float32
    np.testing.assert_allclose(single, plans[0].synthesis(alm), atol=1e-4)


def columns(function, shape):
    """The matrix of a linear function of real arrays, by its values on unit vectors."""
    units = np.eye(int(np.prod(shape))).reshape((-1,) + shape)
    return np.array([np.ravel(function(unit)) for unit in units]).T


@pytest.mark.parametrize("which", [0, 1])
def test_transposes_are_exact(which):
    mine = transforms(pairs=True)[which]
    shape = (2, 3, mine._alm_shape[1])
    values = mine._synthesis.result

    def synthesis(pair):
        return mine.synthesis((pair[0], pair[1]))

    calls = [(synthesis, shape, values)]
    if which == 0:
        calls.append((lambda sky: jnp.stack(mine.analysis(sky)), values, shape))
    calls.append((lambda sky: jnp.stack(mine.adjoint_synthesis(sky)), values, shape))
    for call, given, result in calls:
        matrix = columns(call, given)
        transpose = jax.linear_transpose(call, jax.ShapeDtypeStruct(given, jnp.float64))
        np.testing.assert_allclose(columns(lambda y: transpose(y)[0], result), matrix.T, atol=1e-12 * abs(matrix).max())


def test_gradient_of_chi_square():
    alm = random_alm(LMAX, SPINS)
    for mine in transforms(pairs=True):
        data = np.random.default_rng(2).normal(size=mine._synthesis.result)

        @jax.jit
        def chi_square(re, im):
            return jnp.sum((mine.synthesis((re, im)) - data) ** 2) / 2

        grad = jax.grad(chi_square, (0, 1))(alm.real, alm.imag)
        for place in ((0, 3), (0, LMAX + 4), (1, 2), (2, 2 * LMAX + 3)):  # m = 0 and m > 0
            for part in (0, 1):
                step = np.zeros((2,) + alm.shape)
                step[(part,) + place] = 1e-4
                ends = [chi_square(alm.real + s * step[0], alm.imag + s * step[1]) for s in (1, -1)]
                np.testing.assert_allclose(grad[part][place], (ends[0] - ends[1]) / 2e-4, rtol=1e-7, atol=1e-7)


def test_batches():
    mine = transforms()[0]
    alm = np.array([random_alm(LMAX, SPINS, seed) for seed in range(10)])
    each = np.array([mine.synthesis(one) for one in alm])
    np.testing.assert_array_equal(jax.vmap(mine.synthesis)(alm), each)
    np.testing.assert_array_equal(mine.synthesis(alm), each)
    moved = jax.jit(jax.vmap(mine.synthesis, in_axes=1, out_axes=2))(np.moveaxis(alm, 0, 1))
    np.testing.assert_array_equal(np.moveaxis(moved, 2, 0), each)
    jacobian = jax.jacfwd(lambda x: mine.analysis(x).real.sum())(jnp.asarray(each[0]))
    reverse = jax.grad(lambda x: mine.analysis(x).real.sum())(jnp.asarray(each[0]))
    np.testing.assert_allclose(jacobian, reverse, atol=1e-13)


def test_calls_of_several_threads():
    mine = transforms()[0]
    alm = random_alm(LMAX, SPINS)
    synthesis = jax.jit(mine.synthesis)
    expected = synthesis(alm)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for found in pool.map(synthesis, [alm] * 60):
            np.testing.assert_array_equal(found, expected)


def test_wrong_arguments():
    mine = transforms()[0]
    with pytest.raises(armilla.InputError, match="last axes must be"):
        mine.synthesis(np.ones((1, 36), complex))
    with pytest.raises(armilla.InputError, match="float32 or float64"):
        mine.analysis(np.ones(mine._synthesis.result, int))

"""Transforms as differentiable functions of JAX, on CPUs.

Each transform is a linear primitive of JAX with an exact transpose and a rule for batches, so jit, grad, jvp, vjp,
linear_transpose and vmap work on it, in any combination. Synthesis is linear only over the real numbers, because fields
are real: internally, coefficients are pairs of real and imaginary parts. GPUs are not supported: under jit, JAX raises
an error for arrays on them; other calls copy arrays to the host.
"""
import functools
import threading

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import point_transform, transform
from .errors import InputError

__all__ = ["PointTransform", "Transform"]

_MAPS = 8  # maps that are transformed together, if a batch has so many


class _Operator:
    """A real-linear function of arrays [batch][component][..] and its transpose.

    shape, result: shapes of one map of the argument and of the result; coefficients have a last axis [re, im]
    call(plan, values): the function, on numpy arrays [map][component][value] with the axes of a plan
    lock: of the plans, as JAX may evaluate several calls at once, and a plan serves one thread at a time
    """

    def __init__(self, plans, lock, shape, result, call):
        self.plans = plans
        self.lock = lock
        self.shape = shape
        self.result = result
        self.call = call
        self.transpose = None

    def __call__(self, values):
        """On a numpy array."""
        values = np.asarray(values)
        batch = values.shape[:values.ndim - len(self.shape)]
        count = int(np.prod(batch))
        values = _complex(np.ascontiguousarray(values).reshape((count,) + self.shape))
        result = np.empty((count,) + self.result, values.real.dtype)
        for first in range(0, count, _MAPS):
            some = values[first:first + _MAPS]
            with self.lock:
                plan = self.plans(len(some), values.real.dtype)
                found = self.call(plan, some)
            result[first:first + _MAPS] = _real(found, self.result, len(some))
        return result.reshape(batch + self.result)


def _complex(values):
    """Coefficients of pairs; other values as they are."""
    if values.ndim != 4:
        return values
    return values.view(np.complex64 if values.dtype == np.float32 else np.complex128)[..., 0]


def _real(values, shape, count):
    """The reverse, with the axes of maps and components."""
    if np.iscomplexobj(values):
        values = values.view(values.real.dtype)
    return values.reshape((count,) + shape)


def _weighted(alm, factors):
    """Real and imaginary parts times factors [coefficient][re, im]."""
    parts = alm.view(alm.real.dtype).reshape(alm.shape + (2,))
    return (parts * factors.astype(parts.dtype)).view(alm.dtype)[..., 0]


_apply = Primitive("armilla_transform")


@_apply.def_impl
def _(values, *, operator):
    return jnp.asarray(operator(values))


@_apply.def_abstract_eval
def _(values, *, operator):
    batch = values.shape[:values.ndim - len(operator.shape)]
    return jax.core.ShapedArray(batch + operator.result, values.dtype)


def _transposed(cotangent, values, *, operator):
    return [_apply.bind(cotangent, operator=operator.transpose)]


def _batched(arguments, axes, *, operator):
    return _apply.bind(jnp.moveaxis(arguments[0], axes[0], 0), operator=operator), 0


def _called_back(values, *, operator):
    batch = values.shape[:values.ndim - len(operator.shape)]
    shape = jax.ShapeDtypeStruct(batch + operator.result, values.dtype)
    return jax.pure_callback(operator, shape, values)


ad.deflinear2(_apply, _transposed)
batching.primitive_batchers[_apply] = _batched
mlir.register_lowering(_apply, mlir.lower_fun(_called_back, multiple_results=False), platform="cpu")


class _Plan:
    """What the transforms of maps and at points have in common: their operators."""

    def __init__(self, make, values_shape, lmax, mmax, components, pairs, text):
        self._pairs = pairs
        self._text = text
        self._plans = functools.lru_cache(maxsize=4)(make)
        self._lock = threading.Lock()
        mmax = lmax if mmax is None else mmax
        count = (lmax + 1) * (mmax + 1) - mmax * (mmax + 1) // 2
        self._alm_shape = (components, count)
        pair = self._alm_shape + (2,)
        # Weights of real and imaginary parts in the sum over m of both signs. The imaginary parts of m = 0, which real
        # fields do not have, contribute nothing.
        weight = np.full((count, 2), 2.0)
        weight[:lmax + 1] = 1, 0
        self._inverse = inverse = np.full((count, 2), 0.5)
        inverse[:lmax + 1] = 1, 0
        self._synthesis = self._operator(pair, values_shape,
                                         lambda plan, alm: plan.synthesis(_weighted(alm, np.sign(weight))))
        adjoint = self._operator(values_shape, pair,
                                 lambda plan, values: _weighted(plan.adjoint_synthesis(values), weight))
        self._synthesis.transpose, adjoint.transpose = adjoint, self._synthesis

    def _operator(self, shape, result, call):
        return _Operator(self._plans, self._lock, shape, result, call)

    def _bind(self, operator, values):
        values = jnp.asarray(values)
        if values.dtype not in (jnp.float32, jnp.float64):
            raise InputError(f"values have dtype {values.dtype}: pass float32 or float64")
        if values.shape[values.ndim - len(operator.shape):] != operator.shape:
            raise InputError(f"values have the shape {values.shape}: the last axes must be {operator.shape}")
        return _apply.bind(values, operator=operator)

    def _bind_alm(self, operator, alm):
        if isinstance(alm, (tuple, list)):
            parts = [jnp.asarray(part) for part in alm]
        else:
            alm = jnp.asarray(alm)
            parts = [alm.real, alm.imag]
        for part in parts:
            if part.shape[-2:] != self._alm_shape:
                raise InputError(f"alm have the shape {part.shape}: the last axes must be {self._alm_shape}")
        return self._bind(operator, jnp.stack(parts, -1))

    def _alm(self, parts):
        if self._pairs:
            return parts[..., 0], parts[..., 1]
        return jax.lax.complex(parts[..., 0], parts[..., 1])

    @property
    def alm_shape(self):
        """Shape of the coefficients of one map: (components, coefficients)."""
        return self._alm_shape

    def __repr__(self):
        return f"<armilla.jax.{type(self).__name__}: {self._text}>"

    def synthesis(self, alm):
        """Y alm: the fields with these coefficients."""
        return self._bind_alm(self._synthesis, alm)

    def adjoint_synthesis(self, values):
        """Y^T values: the sum of value times conj(Y_lm), without weights."""
        parts = self._bind(self._synthesis.transpose, values)
        return self._alm(parts * self._inverse.astype(parts.dtype))


class Transform(_Plan):
    """Differentiable transforms between maps on one grid and coefficients up to one lmax.

    grid, lmax, mmax, fields, threads: see armilla.Transform
    pairs: whether coefficients in results are pairs (re, im) of real arrays; otherwise they are complex arrays.
        Arguments may be either

    Maps are arrays [..][component][pixel], coefficients arrays [..][component][coefficient], with any number of axes
    before. The precision is that of the argument; JAX itself uses float32, unless jax_enable_x64 is set. Imaginary
    parts of m = 0 are ignored. The gradient of a real function of complex coefficients is, as everywhere in JAX, the
    derivative by the real part minus i times that by the imaginary part.
    """

    def __init__(self, grid, lmax, mmax=None, fields="T", threads=None, pairs=False):
        def make(maps, dtype):
            return transform.Transform(grid, lmax, mmax, fields, maps, dtype, backend="cpu", threads=threads)

        one = make(1, np.dtype(np.float64))
        components = one.fields.components
        super().__init__(make, (components, one.map_shape[-1]), one.lmax, one.mmax, components, pairs,
                         f"{one.grid!r}, lmax {one.lmax}, fields {','.join(one.fields.map_names)}")
        inverse = self._inverse
        self._analysis = self._operator(self._synthesis.result, self._synthesis.shape,
                                        lambda plan, values: plan.analysis(values))
        spread = self._operator(self._synthesis.shape, self._synthesis.result,
                                lambda plan, alm: plan.adjoint_analysis(_weighted(alm, inverse)))
        self._analysis.transpose, spread.transpose = spread, self._analysis

    @property
    def map_shape(self):
        """Shape of one map: (components, pixels)."""
        return self._synthesis.result

    def analysis(self, map):
        """The coefficients of a map, by the quadrature of the grid. Raises InputError like
        armilla.Transform.analysis()."""
        return self._alm(self._bind(self._analysis, map))


class PointTransform(_Plan):
    """Differentiable transforms between coefficients and values at points: see Transform and armilla.PointTransform. The
    points themselves are constants."""

    def __init__(self, theta, phi, lmax, mmax=None, fields="T", accuracy=None, threads=None, pairs=False):
        def make(maps, dtype):
            return point_transform.PointTransform(theta, phi, lmax, mmax, fields, maps, dtype, backend="cpu",
                                                  accuracy=accuracy, threads=threads)

        one = make(1, np.dtype(np.float64))
        components = one.fields.components
        super().__init__(make, (components, one.points), one.lmax, one.mmax, components, pairs,
                         f"{one.points} points, lmax {one.lmax}, fields {','.join(one.fields.map_names)}")

    @property
    def values_shape(self):
        """Shape of the values of one map: (components, points)."""
        return self._synthesis.result

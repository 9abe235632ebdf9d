"""Transforms at arbitrary points."""
import numpy as np

from ._armilla import PointTransformDouble, PointTransformFloat
from .arrays import plain_array
from .errors import InputError
from .plan import Plan, real, whole
from .results import PointAnalysisResult, for_maps


def _reals(name, values):
    """A one-dimensional array of float64."""
    values = plain_array(values, f"{name} is")
    if values.dtype.kind not in "iufb":
        raise InputError(f"{name} has dtype {values.dtype}: pass real numbers")
    values = np.ascontiguousarray(values, np.float64)
    if values.ndim != 1:
        raise InputError(f"{name} has the shape {values.shape}: pass one value for each point")
    return values


class PointTransform(Plan):
    """Transforms between values of fields at arbitrary points of the sphere and coefficients up to one lmax.

    theta, phi: colatitude and longitude of the points [rad]; with several ranks, those of this rank, of any number
    accuracy: relative rms error of the values; by default 1e-10, with dtype float32 1e-6
    lmax, mmax, fields, maps, dtype, comm, backend, threads: see Transform

    Values are arrays [map][component][point], coefficients are those of Transform; the rules for arrays are the same.
    Values of spin > 0 are components along theta and phi.
    """

    def __init__(self, theta, phi, lmax, mmax=None, fields="T", maps=1, dtype=np.float64, comm=None, backend="auto",
                 accuracy=None, threads=None):
        super().__init__(lmax, mmax, fields, maps, dtype, comm, backend, threads)
        with self._together():
            theta, phi = _reals("theta", theta), _reals("phi", phi)
            accuracy = None if accuracy is None else real("accuracy", accuracy)
        made = PointTransformDouble if self.dtype == np.float64 else PointTransformFloat
        given = self._arguments
        self._core = core = made(self._comm, theta, phi, given.lmax, given.mmax, self.fields, self.maps, given.backend, accuracy,
                                 given.threads)
        del self._arguments
        components = self.fields.components
        self._values = self._arrays("values", components, core.points, False, "point")
        self._alm = self._arrays("alm", components, core.alm_size // self.maps, True, "coefficient")

    @property
    def points(self):
        """Number of points of this rank."""
        return self._core.points

    @property
    def values_shape(self):
        """Shape of the values of this rank."""
        return self._values.shapes[self._values.default]

    def synthesis(self, alm, out=None):
        """values = Y alm: the fields with these coefficients at the points. `out` is needed for coefficients on a GPU."""
        alm, out = self._operands(alm, self._alm, self._values, out, self._no_array)
        self._core.synthesis(alm, out)
        return out

    def adjoint_synthesis(self, values, out=None):
        """alm = Y^T values: the sum over points of value times conj(Y_lm), without weights. `out` is needed for values on
        a GPU."""
        values, out = self._operands(values, self._values, self._alm, out, self._no_array)
        self._core.adjoint_synthesis(values, out)
        return out

    def analysis(self, values, inverse_variance=None, tolerance=None, max_iterations=1000, regularise=0.0, out=None):
        """The coefficients that minimise the sum over points of w (value - Y alm)^2. Returns (alm, PointAnalysisResult),
        with a list of results if there are several maps.

        inverse_variance: w of each point of this rank; None on all ranks for equal weights
        tolerance: for the residual of the normal equations, relative to that for alm = 0; by default 1e-10, with dtype
            float32 1e-4
        max_iterations: of conjugate gradients
        regularise: lambda times the sum over l and m of |alm|^2 is added to the minimised sum
        """
        values, out = self._operands(values, self._values, self._alm, out, self._no_array)
        with self._together():
            weights = None if inverse_variance is None else _reals("inverse_variance", inverse_variance)
            if weights is not None and len(weights) != self.points:
                raise InputError(f"inverse_variance has {len(weights)} values: pass {self.points}, one for each point")
            tolerance = None if tolerance is None else real("tolerance", tolerance)
            max_iterations = whole("max_iterations", max_iterations)
            regularise = real("regularise", regularise)
        rows = self._core.analysis(values, out, weights, tolerance, max_iterations, regularise)
        return out, for_maps(PointAnalysisResult, rows)

    def _no_array(self, shape, components):
        raise InputError("the argument is on a GPU, where results at points need memory of the caller: pass out, an array "
                         f"of the shape {shape} on the same GPU")

    def __repr__(self):
        return (f"<armilla.PointTransform: {self.points} points, lmax {self.lmax}, fields "
                f"{','.join(self.fields.map_names)}, {self.maps} map{'s' * (self.maps > 1)}, {self.dtype}, {self.backend}>")

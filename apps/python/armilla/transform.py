"""Transforms between maps and coefficients."""
import numpy as np

from ._armilla import Grid, TransformDouble, TransformFloat
from .errors import InputError
from .plan import Plan, real, whole, word
from .results import ToleranceResult, for_maps


def grid_of(grid):
    """The Grid of the argument `grid` of a call: a Grid, its text such as "healpix:1024", or a Map that has it."""
    grid = getattr(grid, "grid", grid)
    if isinstance(grid, Grid):
        return grid
    if isinstance(grid, str):
        return Grid(grid)
    raise InputError(f"grid = {grid!r}: use a text such as 'healpix:1024' or 'gauss:256:512', a Grid, or a Map")


class Transform(Plan):
    """Transforms between maps on one grid and coefficients up to one lmax, for fields of any mixture of spins. Workspace
    is kept between calls.

    grid: pixels of the maps: a text such as "healpix:1024" or "gauss:256:512", or a Grid
    lmax, mmax: highest degree and order of the coefficients; mmax = lmax by default
    fields: names of the components of maps, such as ["T", "Q", "U"], or the spin of one field
    maps: number of maps transformed together by each call
    dtype: of the values of maps, float64 or float32; coefficients are complex
    comm: a communicator of mpi4py, whose ranks share the maps and coefficients; None: this process alone, without MPI.
        Then the constructor and all calls are collective
    backend: "cpu", "cuda", or "auto": GPUs if all ranks can use one, else CPUs
    threads: of each call; by default one for each CPU of the process, or OMP_NUM_THREADS
    check_finite: whether synthesis, analysis and their adjoints raise InputError for values that are not finite

    Maps are arrays [map][component][pixel] in the order of the pixels of the grid (HEALPix: RING), coefficients are
    arrays [map][component][coefficient] in the order of healpy (m-major). The first axis is left out if maps = 1, both
    are if there is one component too. With several ranks, each holds its own pixels (pixel_ranges) and m (local_m).

    Contiguous arrays of the dtype of the transform are used in place, without a copy. Other strides, and types whose
    values all exist in that dtype, are copied once. `out` receives the result if it is given; it must be contiguous, have
    the dtype of the result, and not share memory with the argument. With backend "cuda", arguments may be arrays on the
    GPU of the transform that support DLPack (CuPy, PyTorch, JAX); results are then arrays of that library.

    A transform serves one thread at a time; other threads may use other transforms meanwhile.
    """

    def __init__(self, grid, lmax, mmax=None, fields="T", maps=1, dtype=np.float64, comm=None, backend="auto",
                 threads=None, check_finite=False):
        super().__init__(lmax, mmax, fields, maps, dtype, comm, backend, threads)
        with self._together():
            self.grid = grid_of(grid)  #: pixels of the maps
            check_finite = bool(check_finite)
        made = TransformDouble if self.dtype == np.float64 else TransformFloat
        given = self._arguments
        self._core = core = made(self._comm, self.grid, given.lmax, given.mmax, self.fields, self.maps,
                                 given.backend, given.threads, check_finite)
        del self._arguments
        components = self.fields.components
        self._map = self._arrays("map", components, core.npix, False, "pixel")
        self._alm = self._arrays("alm", components, core.alm_size, True, "coefficient")
        self._pairs = None

    @property
    def workspace_bytes(self):
        """Upper bound on the host memory of this rank that the transform holds and its calls use, without arrays."""
        return self._core.workspace_bytes

    @property
    def pixel_ranges(self):
        """The pixels of this rank, in the order of its maps: ranges (begin, end) of pixels of the grid."""
        return self._core.pixel_ranges

    @property
    def local_m(self):
        """The m of this rank, ascending; its coefficients are l = m .. lmax of each."""
        return self._core.local_m

    @property
    def map_shape(self):
        """Shape of the maps of this rank."""
        return self._map.shapes[self._map.default]

    def make_map(self):
        """A map of zeros on the host, at an address that suits the transform."""
        return self._zeros(self._map)

    def make_alm(self):
        """Coefficients of zeros on the host, at an address that suits the transform."""
        return self._zeros(self._alm)

    def synthesis(self, alm, out=None):
        """map = Y alm: the fields with these coefficients at the pixels."""
        alm, out = self._operands(alm, self._alm, self._map, out, self._new_map)
        self._core.synthesis(alm, out)
        return out

    def adjoint_synthesis(self, map, out=None):
        """alm = Y^T map: the sum over pixels of map times conj(Y_lm), without weights."""
        map, out = self._operands(map, self._map, self._alm, out, self._new_alm)
        self._core.adjoint_synthesis(map, out)
        return out

    def analysis(self, map, iterations=0, weights="grid", out=None):
        """The coefficients of a map, by quadrature and steps alm += A (map - Y alm).

        iterations: number of steps; exact grids need none, HEALPix usually 3
        weights: of the quadrature: "grid", those of the grid; "ring", one for each ring; "pixel", those of HEALPix pixels
        """
        map, out = self._operands(map, self._map, self._alm, out, self._new_alm)
        with self._together():
            iterations, weights = whole("iterations", iterations), word("weights", weights)
        self._core.analysis(map, out, iterations, weights)
        return out

    def adjoint_analysis(self, alm, out=None):
        """map = W Y alm, the adjoint of analysis() with the default options."""
        alm, out = self._operands(alm, self._alm, self._map, out, self._new_map)
        self._core.adjoint_analysis(alm, out)
        return out

    def analysis_to_tolerance(self, map, tolerance, out=None):
        """The coefficients of a map to `tolerance`, their relative rms error. Returns (alm, ToleranceResult), with a list
        of results if there are several maps."""
        map, out = self._operands(map, self._map, self._alm, out, self._new_alm)
        with self._together():
            tolerance = real("tolerance", tolerance)
        return out, for_maps(ToleranceResult, self._core.analysis_to_tolerance(map, out, tolerance))

    # Tangent vector fields, for fields of spin 1 such as ["U", "V"].

    def vector_fields(self, vorticity_divergence, radius=1.0, axes="east_north", factor="none", out=None):
        """Vectors v from their vorticity r . curl v and divergence, [vorticity, divergence] of each pair.

        radius: of the sphere, in the unit of length of the vectors and their derivatives
        axes: "east_north" or "south_east", the directions of the two components in maps
        factor: of the vectors in maps: "none", "cos_latitude" or "inverse_cos_latitude"
        """
        given, out = self._operands(vorticity_divergence, self._scalars(2), self._map, out, self._new_map)
        self._core.vector_fields(given, out, *self._vector_options(radius, axes, factor))
        return out

    def vorticity_divergence(self, map, radius=1.0, axes="east_north", factor="none", out=None):
        """Coefficients of the vorticity and divergence of vectors, by quadrature. Arguments: see vector_fields()."""
        map, out = self._operands(map, self._map, self._scalars(2), out, self._new_alm)
        self._core.vorticity_divergence(map, out, *self._vector_options(radius, axes, factor))
        return out

    def gradient(self, potential, radius=1.0, axes="east_north", factor="none", out=None):
        """The gradient of scalars, one for each pair, as vectors. Arguments: see vector_fields()."""
        potential, out = self._operands(potential, self._scalars(1), self._map, out, self._new_map)
        self._core.gradient(potential, out, *self._vector_options(radius, axes, factor))
        return out

    def adjoint_gradient(self, map, radius=1.0, axes="east_north", factor="none", out=None):
        """The adjoint of gradient(): a sum over pixels without weights."""
        map, out = self._operands(map, self._map, self._scalars(1), out, self._new_alm)
        self._core.adjoint_gradient(map, out, *self._vector_options(radius, axes, factor))
        return out

    def _vector_options(self, radius, axes, factor):
        with self._together():
            return real("radius", radius), word("axes", axes), word("factor", factor)

    def _scalars(self, for_each_pair):
        if self._pairs is None:
            spins = self.fields.spins
            if any(spin != 1 for spin in spins):
                raise InputError(f"the fields of the transform, {', '.join(self.fields.map_names)}, are not all tangent "
                                 "vectors: make one with fields=['U', 'V'] or ['V_THETA', 'V_PHI']")
            pairs = len(spins) // 2
            self._pairs = tuple(self._arrays("alm", count * pairs, self._core.alm_size, True, "coefficient")
                                for count in (1, 2))
        return self._pairs[for_each_pair - 1]

    def _new_map(self, shape, components):
        return self._core.device_map(shape)

    def _new_alm(self, shape, components):
        return self._core.device_alm(shape, components)

    def __repr__(self):
        return (f"<armilla.Transform: {self.grid!r}, lmax {self.lmax}, fields {','.join(self.fields.map_names)}, "
                f"{self.maps} map{'s' * (self.maps > 1)}, {self.dtype}, {self.backend}>")

"""Values on pixels or coefficients that a program distributes over ranks in its own way."""
import numpy as np

from ._armilla import AlmMover, PixelMover
from .arrays import new_array, plain_array
from .comm import communicator_of, together
from .errors import InputError
from .plan import NotCopied, whole
from .transform import grid_of


def _indices(name, values):
    """A one-dimensional array of int64."""
    values = plain_array(values, f"{name} is")
    if values.ndim != 1:
        raise InputError(f"{name} has the shape {values.shape}: pass one index for each value of this rank")
    if values.size == 0:
        return np.empty(0, np.int64)
    if values.dtype.kind not in "iu":
        raise InputError(f"{name} has dtype {values.dtype}: pass integers")
    return np.require(values, np.int64, "CA")


class _Redistribution(NotCopied):
    """One exchange between all ranks, planned once, for any number of components."""

    def __init__(self, comm):
        self.comm = comm  #: the argument of the constructor
        self._comm = communicator_of(comm)

    def _together(self):
        return together(self._comm)

    @property
    def size(self):
        """Number of values of this rank in the distribution of the program."""
        return self._core.size

    @property
    def own_size(self):
        """Number of values of this rank in the distribution of Armilla."""
        return self._core.own_size

    def _move(self, direction, name, given, count, out, result_count, *fill):
        with self._together():
            given = self._array(name, given, count)
            shape = given.shape[:-1] + (result_count,)
            out = self._result(out, shape, given.dtype)
            fill = [None if value is None else self._fill(value) for value in fill]
        components = int(np.prod(given.shape[:-1]))
        getattr(self._core, f"{direction}_{given.dtype}")(given, out, components, *fill)
        return out

    def _fill(self, value):
        try:
            return np.dtype(self._dtypes[-1]).type(value).item()
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"fill = {value!r}: use a number") from None

    def _array(self, name, given, count):
        given = plain_array(given, f"{name} is")
        if given.dtype not in self._dtypes:
            raise InputError(f"{name} has dtype {given.dtype}: use {' or '.join(self._dtypes)}, such as "
                             f"{name}.astype('{self._dtypes[-1]}')")
        if given.ndim == 0 or given.shape[-1] != count:
            raise InputError(f"{name} has the shape {given.shape}: its last axis must have {count} values on this rank")
        return np.require(given, requirements="CA")

    def _result(self, out, shape, dtype):
        if out is None:
            return new_array(shape, int(np.prod(shape)), dtype)
        if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != shape:
            what = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise InputError(f"out is {what}: pass an array of numpy with dtype {dtype} and the shape {shape}")
        if not out.flags.carray:
            raise InputError("out is read-only, not C-contiguous or not aligned: pass a contiguous array that can be "
                             "written")
        return out


class PixelRedistribution(_Redistribution):
    """Moves values between the maps of Transform and any pixels of each rank: one exchange, planned at construction.

    grid: of the maps: a text such as "healpix:1024", or a Grid
    pixels: indices, in the grid, of the pixels of this rank of the program, in its order; none, and pixels of several
        ranks, are allowed
    comm: a communicator of mpi4py, or None for this process alone

    The constructor and all calls are collective. Arrays have any number of axes before that of the pixels, the same on
    all ranks, of float32 or float64.
    """

    _dtypes = ("float32", "float64")

    def __init__(self, grid, pixels, comm=None):
        super().__init__(comm)
        with self._together():
            self.grid = grid_of(grid)  #: of the maps
            pixels = _indices("pixels", pixels)
        self._core = PixelMover(self._comm, self.grid, pixels)

    @property
    def pixel_ranges(self):
        """The pixels of this rank in maps, in their order: ranges (begin, end) of pixels of the grid."""
        return self._core.pixel_ranges

    def to_map(self, values, fill=None, out=None):
        """The map with these values [..][pixel of the program]. Raises InputError, with an index, for pixels that
        several ranks or places have, and for pixels that none has, unless they get the value `fill`."""
        return self._move("to", "values", values, self.size, out, self.own_size, fill)

    def from_map(self, map, out=None):
        """The values [..][pixel of the program] of a map."""
        return self._move("from", "map", map, self.own_size, out, self.size)


class AlmRedistribution(_Redistribution):
    """Moves values between the coefficients of Transform and any coefficients of each rank: see PixelRedistribution.

    lmax, mmax: of the coefficients; mmax = lmax by default
    l, m: of the coefficients of this rank of the program, in its order; without l, all l = m .. lmax of each m
    comm: a communicator of mpi4py, or None for this process alone

    Arrays are complex64 or complex128.
    """

    _dtypes = ("complex64", "complex128")

    def __init__(self, lmax, m, l=None, mmax=None, comm=None):
        super().__init__(comm)
        with self._together():
            lmax = whole("lmax", lmax)
            mmax = lmax if mmax is None else whole("mmax", mmax)
            m = _indices("m", m)
            l = None if l is None else _indices("l", l)
        self._core = AlmMover(self._comm, lmax, mmax, l, m)

    @property
    def local_m(self):
        """The m of this rank in coefficients of Transform, ascending; l = m .. lmax of each."""
        return self._core.local_m

    def to_alm(self, values, fill=None, out=None):
        """The coefficients with these values [..][coefficient of the program]. Raises InputError like
        PixelRedistribution.to_map()."""
        return self._move("to", "values", values, self.size, out, self.own_size, fill)

    def from_alm(self, alm, out=None):
        """The values [..][coefficient of the program] of coefficients."""
        return self._move("from", "alm", alm, self.own_size, out, self.size)

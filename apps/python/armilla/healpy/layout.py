"""Sizes and indices of coefficients, which are m-major: l = m .. lmax for each m = 0 .. mmax."""
import operator

import numpy as np

from ..errors import InputError


def integer_of(name, value):
    """An argument that is a whole number, also one of floating point. Raises InputError for others."""
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            return int(value)
    raise InputError(f"{name} = {value!r}: use an integer")


class Alm:
    """Indices of coefficients in arrays of one component."""

    @staticmethod
    def getsize(lmax, mmax=None):
        """Number of coefficients up to lmax and mmax (default: lmax)."""
        if mmax is None or mmax < 0 or mmax > lmax:
            mmax = lmax
        return (mmax + 1) * (lmax + 1) - mmax * (mmax + 1) // 2

    @staticmethod
    def getidx(lmax, l, m):
        """Index of the coefficients l, m, integers or arrays of them."""
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getlm(lmax, i=None):
        """(l, m) of the index i, an integer or an array of them (default: all), with mmax = lmax. Raises InputError for
        an index outside the array."""
        size = Alm.getsize(lmax)
        i = np.arange(size) if i is None else np.asarray(i)
        if i.size and (i.min() < 0 or i.max() >= size):
            raise InputError(f"i = {i.max() if i.max() >= size else i.min()}: use indices from 0 to {size - 1}, the "
                             f"last of lmax = {lmax}")
        orders = np.arange(lmax + 1)
        m = np.searchsorted(Alm.getidx(lmax, orders, orders), i, side="right") - 1
        return i - Alm.getidx(lmax, 0, m), m

    @staticmethod
    def getlmax(s, mmax=None):
        """The lmax of an array of s coefficients with mmax (default: lmax); -1 if no lmax has this size."""
        if mmax is None or mmax < 0:
            lmax = int((np.sqrt(8 * s + 1) - 3) / 2 + 0.5)
            return lmax if Alm.getsize(lmax) == s else -1
        lmax, rest = divmod(s + mmax * (mmax + 1) // 2, mmax + 1)
        return lmax - 1 if rest == 0 and lmax > mmax else -1


def layout_of(size, lmax, mmax, name="alm"):
    """(lmax, mmax) of an array of `size` coefficients, where None and negative values are to be found. Raises
    InputError if the size does not match."""
    lmax, mmax = (None if given is None or given < 0 else integer_of(key, given)
                  for key, given in (("lmax", lmax), ("mmax", mmax)))
    if lmax is None:
        lmax = Alm.getlmax(size, mmax)
        if lmax < 0:
            raise InputError(f"{name} has {size} coefficients, which no lmax has with mmax = "
                             f"{'lmax' if mmax is None else mmax}: pass lmax and mmax")
    if mmax is None:
        mmax = lmax
    if mmax > lmax:
        raise InputError(f"mmax = {mmax} exceeds lmax = {lmax}: use mmax <= lmax")
    if Alm.getsize(lmax, mmax) != size:
        raise InputError(f"{name} has {size} coefficients, but {Alm.getsize(lmax, mmax)} are needed for lmax = {lmax}, "
                         f"mmax = {mmax}: pass the lmax and mmax of the array")
    return lmax, mmax


def orders(lmax, mmax):
    """Yields the slices of l and of coefficients of each m."""
    first = 0
    for m in range(mmax + 1):
        count = lmax + 1 - m
        yield slice(m, lmax + 1), slice(first, first + count)
        first += count


def is_sequence_of_arrays(given):
    """Whether an argument holds several arrays."""
    return getattr(given, "ndim", None) == 2 if hasattr(given, "ndim") else (
        isinstance(given, (list, tuple)) and len(given) > 0 and hasattr(given[0], "__len__"))


def read_alm(alms, name="alms"):
    """Coefficients [component][coefficient], and whether the argument is a sequence of components. Contiguous arrays of
    complex128 are not copied. Raises InputError for others than complex numbers."""
    try:
        values = np.asarray(alms)
    except ValueError:
        raise InputError(f"{name} has components of different sizes: pass arrays of the same lmax and mmax") from None
    if values.dtype.kind != "c":
        raise InputError(f"{name} has dtype {values.dtype}: pass complex numbers, such as {name}.astype(complex)")
    if values.ndim not in (1, 2) or values.size == 0:
        raise InputError(f"{name} has the shape {values.shape}: pass [coefficient] or [component][coefficient]")
    return np.ascontiguousarray(np.atleast_2d(values), np.complex128), values.ndim == 2


def is_changeable(part):
    """Whether calls with inplace=True change this array."""
    return isinstance(part, np.ndarray) and part.dtype == np.complex128 and part.flags.c_contiguous


def scale_degrees(alm, factors, lmax, mmax):
    """Multiplies coefficients [component][coefficient] in place by factors [component][l], 0 beyond their end."""
    if factors.shape[1] <= lmax:
        factors = np.pad(factors, ((0, 0), (0, lmax + 1 - factors.shape[1])))
    for degrees, stored in orders(lmax, mmax):
        alm[:, stored] *= factors[:, degrees]


def almxfl(alm, fl, mmax=None, inplace=False):
    """Coefficients of one component times a function of l, which is 0 beyond its end.

    fl: real or complex, from l = 0
    mmax: of alm; by default lmax
    inplace: whether a contiguous array of complex128 is changed and returned; others are copied
    """
    given = np.asarray(alm)
    factors = np.asarray(fl)
    if given.ndim != 1 or factors.ndim != 1 or given.dtype.kind not in "fc" or factors.dtype.kind not in "iufc":
        raise InputError(f"almxfl: alm has the shape {given.shape}, fl {factors.shape}: pass one-dimensional arrays of "
                         "numbers, and several components one by one")
    lmax, mmax = layout_of(given.size, None, mmax)
    if not (inplace and is_changeable(alm)):
        given = given.astype(np.complex128)
    scale_degrees(given[np.newaxis], factors[np.newaxis], lmax, mmax)
    return given


def resize_alm(alm, lmax, mmax, lmax_out, mmax_out):
    """Coefficients of lmax, mmax with the layout of lmax_out, mmax_out: further ones are 0."""
    values, is_sequence = read_alm(alm, "alm")
    lmax, mmax = layout_of(values.shape[1], lmax, mmax)
    out = np.zeros((len(values), Alm.getsize(lmax_out, mmax_out)), np.complex128)
    last = min(lmax, lmax_out)
    for m in range(min(mmax, mmax_out, last) + 1):
        to, read = (Alm.getidx(high, m, m) for high in (lmax_out, lmax))
        out[:, to:to + last + 1 - m] = values[:, read:read + last + 1 - m]
    return out if is_sequence else out[0]

"""Maps as arguments: masked arrays, bad pixels, sequences, and the order of pixels."""
import math
import typing

import numpy as np

from .._armilla import ring_of_nested
from ..errors import InputError
from .layout import integer_of, is_sequence_of_arrays

UNSEEN = -1.6375e30  #: value of bad pixels
_TOLERANCE = 1e-5 * abs(UNSEEN)  # single precision maps have it rounded


class Maps(typing.NamedTuple):
    """Maps that an argument holds."""

    values: np.ndarray  #: [component][pixel] of float64, with UNSEEN pixels as given
    bad: typing.Optional[np.ndarray]  #: which pixels are UNSEEN, or None if there is none
    is_sequence: bool  #: whether the argument is a sequence of components
    is_masked: bool  #: whether it has masks of numpy
    nside: int  #: of all components

    def zeroed(self):
        """The values, with 0 in UNSEEN pixels."""
        return self.values if self.bad is None else np.where(self.bad, 0.0, self.values)


def nside_of(nside):
    """The argument nside. Raises InputError unless it is a positive integer."""
    found = integer_of("nside", nside)
    if found < 1:
        raise InputError(f"nside = {nside!r}: use a positive integer")
    return found


def read_maps(maps, name="maps"):
    """The maps of an argument: an array of pixels, or a sequence of them. Contiguous arrays of float64 are not copied.
    Raises InputError for sizes that no HEALPix map has, components of different sizes, and values that are not real."""
    is_sequence = is_sequence_of_arrays(maps)
    parts = list(maps) if is_sequence and not isinstance(maps, np.ndarray) else [maps]
    is_masked = any(isinstance(part, np.ma.MaskedArray) for part in parts)
    if is_masked:
        parts = [np.ma.asarray(part, np.float64).filled(UNSEEN) for part in parts]
    try:
        values = np.asarray(parts if len(parts) > 1 else parts[0])
    except ValueError:
        raise InputError(f"{name} has components of different sizes: pass maps of the same nside") from None
    if values.dtype.kind not in "fiub":
        raise InputError(f"{name} has dtype {values.dtype}: pass real numbers")
    if values.ndim not in (1, 2) or values.size == 0:
        raise InputError(f"{name} has the shape {values.shape}: pass [pixel] or [component][pixel]")
    values = np.ascontiguousarray(np.atleast_2d(values), np.float64)
    npix = values.shape[1]
    nside = math.isqrt(npix // 12)
    if nside < 1 or 12 * nside**2 != npix:
        raise InputError(f"{name} has {npix} pixels, which is not 12 nside^2: pass full HEALPix maps")
    # The minimum tells at a fraction of the time of a mask that there are no bad pixels.
    bad = None if values.min() > UNSEEN + 2 * _TOLERANCE else np.abs(values - UNSEEN) < _TOLERANCE
    if bad is not None and not bad.any():
        bad = None
    return Maps(values, bad, is_sequence, is_masked, nside)


def masked(values):
    """A masked array without the UNSEEN pixels."""
    return np.ma.masked_array(values, np.abs(values - UNSEEN) < _TOLERANCE, fill_value=UNSEEN)


def cut_galaxy(grid, values, latitude):
    """Values [component][pixel] with 0 in rings below a latitude [degrees] north and south. Copies them."""
    values = values.copy()
    # A ring at the latitude itself is kept; its cos(theta) may be rounded.
    is_cut = np.abs(np.cos(grid.theta)) < math.sin(math.radians(latitude)) - 1e-12
    values[:, np.repeat(is_cut, grid.nphi)] = 0
    return values


def ring_from_nested(values, nside):
    """Values [component][pixel] in RING order."""
    out = np.empty_like(values)
    out[:, ring_of_nested(nside)] = values
    return out


def nested_from_ring(values, nside):
    """Values [component][pixel] in NESTED order."""
    return values[:, ring_of_nested(nside)]

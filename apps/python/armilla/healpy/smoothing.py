"""Convolution of maps and coefficients with beams."""
import numpy as np

from .layout import is_changeable, layout_of, read_alm
from .maps import UNSEEN, masked, nested_from_ring, read_maps, ring_from_nested
from .transforms import alm2map, map2alm
from .windows import multiplied, windows_of


def smoothalm(alms, fwhm=0.0, sigma=None, beam_window=None, pol=True, mmax=None, verbose=True, inplace=True):
    """Coefficients times a beam: Gaussian of width fwhm or sigma [rad], or beam_window [l], which precedes.

    pol: whether components after the first have spin 2
    mmax: of the coefficients; by default lmax
    inplace: whether contiguous arrays of complex128 are changed, and `alms` returned if all are; others are copied
    verbose: ignored, as in healpy
    """
    values, is_sequence = read_alm(alms)
    lmax, mmax = layout_of(values.shape[1], None, mmax)
    windows = windows_of(lmax, len(values), fwhm, sigma, beam_window, pol)
    if windows is None:
        return alms
    values = multiplied(alms, values, windows, lmax, mmax, inplace)
    parts = alms if is_sequence else [alms]
    if inplace and all(is_changeable(part) for part in parts):
        return alms
    return values if is_sequence else values[0]


def smoothing(map_in, fwhm=0.0, sigma=None, beam_window=None, pol=True, iter=3, lmax=None, mmax=None, use_weights=False,
              use_pixel_weights=False, datapath=None, verbose=True, nest=False):
    """A map, or a sequence of maps, convolved with a beam. UNSEEN and masked pixels count as 0 and stay bad; masked
    arrays are returned for masked arrays.

    fwhm, sigma, beam_window: see smoothalm(); the others: see map2alm()
    nest: whether maps are in NESTED order
    """
    given = read_maps(map_in, "map_in")
    values = given.zeroed()
    if nest:
        values = ring_from_nested(values, given.nside)
    alm = map2alm(values, lmax=lmax, mmax=mmax, iter=iter, pol=pol, use_weights=use_weights,
                  use_pixel_weights=use_pixel_weights)
    if lmax is None:
        lmax = 3 * given.nside - 1
    mmax = lmax if mmax is None else mmax
    alm = np.atleast_2d(alm)
    smoothalm(alm, fwhm, sigma, beam_window, pol, mmax)
    out = alm2map(alm, given.nside, lmax=lmax, mmax=mmax, pol=pol)
    if nest:
        out = nested_from_ring(out, given.nside)
    if given.bad is not None:
        out[given.bad] = UNSEEN
    if not given.is_sequence:
        out = out[0]
    return masked(out) if given.is_masked else out

"""Functions of l: beams and pixel windows."""
import math

import numpy as np

from ..errors import InputError
from .layout import is_changeable, scale_degrees
from .maps import nside_of

_SIGMA_OF_FWHM = 1 / math.sqrt(8 * math.log(2))


def gauss_beam(fwhm, lmax=512, pol=False):
    """B_l of a Gaussian beam of width fwhm [rad], for l = 0 .. lmax; with pol=True [l][T, E, B, TE] (Challinor et al.
    2000)."""
    variance = (fwhm * _SIGMA_OF_FWHM)**2
    l = np.arange(lmax + 1)
    spins_2 = np.array([0, 2, 2, 1]) if pol else 0  # s^2 / 2 of each column, and for TE the mean of both
    return np.exp(variance * (spins_2 - 0.5 * np.multiply.outer(l * (l + 1), np.ones_like(spins_2))))


def pixwin(nside, pol=False, lmax=None):
    """Window of the pixels of nside, l = 0 .. lmax (default: 3 nside - 1); with pol=True (T, polarisation). It is data
    of HEALPix, which Armilla does not contain: healpy must be installed. Raises InputError without healpy."""
    nside = nside_of(nside)
    try:
        import healpy
    except ImportError:
        raise InputError("pixel windows are data of healpy, which is not installed: pip install 'armilla[healpy]', or "
                         "multiply the coefficients by a window with almxfl()") from None
    windows = healpy.pixwin(nside, pol=True)
    windows = tuple(np.asarray(window, np.float64)[:3 * nside if lmax is None else lmax + 1] for window in windows)
    return windows if pol else windows[0]


def windows_of(lmax, components, fwhm, sigma, beam_window, pol, pixwin_nside=None):
    """[component][l] of a beam, times the pixel window of pixwin_nside if it is given; None if all are 1. Components
    after the first have spin 2 if pol is true."""
    if beam_window is not None:
        window = np.asarray(beam_window)
        if window.ndim != 1 or window.dtype.kind not in "iufc":
            raise InputError(f"beam_window has the shape {window.shape}: pass one value for each l")
        factors = np.tile(window, (components, 1))
    else:
        width = fwhm * _SIGMA_OF_FWHM if sigma is None else sigma
        if width == 0 and pixwin_nside is None:
            return None
        l = np.arange(lmax + 1.0)
        spin = np.where((np.arange(components) > 0) & bool(pol), 2, 0)[:, np.newaxis]
        factors = np.exp(-0.5 * (l * (l + 1) - spin**2) * width**2)
    if pixwin_nside is not None:
        of_pixels = pixwin(pixwin_nside, True, lmax)
        factors = factors[:, :len(of_pixels[0])]
        for component in range(components):
            factors[component] *= of_pixels[1 if pol and component > 0 else 0][:factors.shape[1]]
    return factors


def multiplied(alms, values, windows, lmax, mmax, inplace):
    """Coefficients times windows [component][l]. `values` are those of `alms` as read_alm() returned them. With
    inplace, arrays of complex128 in `alms` are changed too."""
    is_view = isinstance(alms, np.ndarray) and np.may_share_memory(alms, values)
    if is_view and not inplace:
        values = values.copy()
    scale_degrees(values, windows, lmax, mmax)
    if inplace and not is_view:
        for part, value in zip([alms] if np.ndim(alms) == 1 else alms, values):
            if is_changeable(part):
                part[...] = value
    return values

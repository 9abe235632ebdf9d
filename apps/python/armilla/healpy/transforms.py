"""Transforms of HEALPix maps with the functions of healpy."""
import warnings

import numpy as np

from ..errors import InputError
from .layout import integer_of, layout_of, read_alm
from .maps import cut_galaxy, nside_of, read_maps
from .plans import plan
from .windows import multiplied, windows_of


def _limits(nside, lmax, mmax):
    """lmax and mmax of an analysis, with the defaults of healpy."""
    lmax = 3 * nside - 1 if lmax is None else integer_of("lmax", lmax)
    return lmax, lmax if mmax is None else integer_of("mmax", mmax)


def _fields_of(count, pol, name):
    """(fields, maps) of a transform for `count` components."""
    if pol and count not in (1, 3):
        raise InputError(f"{name} has {count} components: with pol=True pass 1 or 3 (T, Q, U or T, E, B), or use "
                         "pol=False for scalars")
    return ("T,Q,U", 1) if pol and count == 3 else ("T", count)


def _shaped(values):
    """[component][value] as transforms take it, whose single component has no axis."""
    return values[0] if len(values) == 1 else values


def map2alm(maps, lmax=None, mmax=None, iter=3, pol=True, use_weights=False, datapath=None, gal_cut=0,
            use_pixel_weights=False, verbose=True):
    """Coefficients of a map, or of a sequence of maps, in RING order. UNSEEN and masked pixels count as 0.

    lmax, mmax: by default 3 nside - 1, and lmax
    iter: number of steps alm += A (map - Y alm) after the quadrature A
    pol: whether three maps are T, Q, U, with coefficients T, E, B; else all are scalars, of any number
    use_weights, use_pixel_weights: quadrature with weights of rings, or of pixels
    datapath: ignored, because Armilla computes weights and reads no files for them
    gal_cut: pixels with a latitude [degrees] below it, north and south, count as 0
    verbose: ignored, as in healpy
    """
    given = read_maps(maps)
    if use_weights and use_pixel_weights:
        raise InputError("use_weights and use_pixel_weights are both True: use one of them")
    weights = "ring" if use_weights else "pixel" if use_pixel_weights else "grid"
    fields, batch = _fields_of(len(given.values), pol, "maps")
    with plan(given.nside, *_limits(given.nside, lmax, mmax), fields, batch) as transform:
        values = given.zeroed()
        if gal_cut > 0:
            values = cut_galaxy(transform.grid, values, gal_cut)
        return transform.analysis(_shaped(values), iterations=iter, weights=weights)


def map2alm_lsq(maps, lmax, mmax, pol=True, tol=1e-10, maxiter=20):
    """The coefficients that minimise the rms of map - Y alm: (alm, residual, iterations), where the residual is that
    rms divided by the rms of the maps.

    tol: relative rms error of the coefficients, at which iterations stop
    maxiter: a RuntimeWarning is issued if more iterations were needed
    """
    given = read_maps(maps)
    fields, batch = _fields_of(len(given.values), pol, "maps")
    with plan(given.nside, *_limits(given.nside, lmax, mmax), fields, batch) as transform:
        values = _shaped(given.zeroed())
        alm, results = transform.analysis_to_tolerance(values, tol)
        results = results if isinstance(results, list) else [results]
        iterations = max(result.iterations for result in results)
        if not all(result.converged for result in results):
            warnings.warn(f"tol = {tol} was not reached in {iterations} iterations: the estimated relative error is "
                          f"{max(result.alm_error for result in results):.1e}", RuntimeWarning, stacklevel=2)
        elif iterations > maxiter:
            warnings.warn(f"maxiter = {maxiter}, but {iterations} iterations were needed for tol = {tol}",
                          RuntimeWarning, stacklevel=2)
        norm = np.linalg.norm(values)
        residual = float(np.linalg.norm(values - transform.synthesis(alm)) / norm) if norm > 0 else 0.0
    return alm, residual, iterations


def alm2map(alms, nside, lmax=None, mmax=None, pixwin=False, fwhm=0.0, sigma=None, pol=True, inplace=False,
            verbose=True):
    """The map of coefficients, or of a sequence of them, in RING order.

    lmax, mmax: of the coefficients; by default found from their number, with mmax = lmax
    pixwin: whether coefficients are multiplied by the pixel window, see pixwin()
    fwhm, sigma: of a Gaussian beam [rad] by which coefficients are multiplied; sigma precedes
    pol: whether three components are T, E, B, with maps T, Q, U; else all are scalars, of any number
    inplace: whether beam and window may change contiguous arrays of complex128
    verbose: ignored, as in healpy
    """
    nside = nside_of(nside)
    values, is_sequence = read_alm(alms)
    lmax, mmax = layout_of(values.shape[1], lmax, mmax)
    fields, batch = _fields_of(len(values), pol, "alms")
    windows = windows_of(lmax, len(values), fwhm, sigma, None, pol, nside if pixwin else None)
    if windows is not None:
        values = multiplied(alms, values, windows, lmax, mmax, inplace)
    with plan(nside, lmax, mmax, fields, batch) as transform:
        map = transform.synthesis(_shaped(values))
    return map if map.ndim == 2 or not is_sequence else map[np.newaxis]


def _spin_fields(spin):
    """(fields, maps, sign) of two components of a spin."""
    spin = integer_of("spin", spin)
    if spin < 0:
        raise InputError(f"spin = {spin}: use an integer from 0")
    return (spin, 1, 1) if spin > 0 else ("T", 2, -1)


def alm2map_spin(alms, nside, spin, lmax, mmax=None):
    """The two maps [real, imaginary part] of a field of spin >= 0 with two coefficients [gradient, curl]. Spin 0: the
    maps of two scalars with the opposite sign, as the definition of the gradient gives it."""
    values, _ = read_alm(alms)
    if len(values) != 2:
        raise InputError(f"alms has {len(values)} components: pass two, the gradient and the curl")
    lmax, mmax = layout_of(values.shape[1], lmax, mmax)
    fields, batch, sign = _spin_fields(spin)
    with plan(nside_of(nside), lmax, mmax, fields, batch) as transform:
        maps = transform.synthesis(values)
    return list(maps if sign > 0 else np.negative(maps, out=maps))


def map2alm_spin(maps, spin, lmax=None, mmax=None):
    """The two coefficients [gradient, curl] of two maps of spin >= 0, by quadrature. Spin 0: see
    alm2map_spin(). UNSEEN and masked pixels count as 0."""
    given = read_maps(maps)
    if len(given.values) != 2:
        raise InputError(f"maps has {len(given.values)} components: pass two, the real and imaginary part")
    fields, batch, sign = _spin_fields(spin)
    with plan(given.nside, *_limits(given.nside, lmax, mmax), fields, batch) as transform:
        alm = transform.analysis(given.zeroed())
    return list(alm if sign > 0 else np.negative(alm, out=alm))


def alm2map_der1(alm, nside, lmax=None, mmax=None):
    """[map, derivative with respect to theta, that with respect to phi divided by sin(theta)] of one component."""
    values, is_sequence = read_alm(alm, "alm")
    if is_sequence:
        raise InputError(f"alm has the shape {values.shape}: pass one component, [coefficient]")
    nside = nside_of(nside)
    lmax, mmax = layout_of(values.shape[1], lmax, mmax)
    out = np.empty((3, 12 * nside**2))
    with plan(nside, lmax, mmax, "T") as transform:
        transform.synthesis(values[0], out=out[0])
    if lmax == 0:
        out[1:] = 0
        return out
    with plan(nside, lmax, mmax, "V_THETA,V_PHI") as transform:
        transform.gradient(values[0], axes="south_east", out=out[1:])
    return out

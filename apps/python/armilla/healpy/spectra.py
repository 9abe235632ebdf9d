"""Spectra of maps and coefficients, and random skies of given spectra."""
import warnings

import numpy as np

from ..errors import InputError
from .layout import Alm, is_sequence_of_arrays, layout_of, orders, read_alm
from .maps import nside_of
from .transforms import alm2map, map2alm

# Spectra are real numbers of single precision at worst, so a matrix of them is singular to this relative error.
_ROUNDING = 1e-6


def _pairs(components):
    """Pairs of components by diagonals: TT, EE, BB, TE, EB, TB."""
    return [(i, i + step) for step in range(components) for i in range(components - step)]


def alm2cl(alms1, alms2=None, lmax=None, mmax=None, lmax_out=None, nspec=None):
    """C_l of coefficients; for n components the n (n + 1) / 2 spectra in the order TT, EE, BB, TE, EB, TB.

    alms2: of the second factor, as alms1; spectra of components i < j are those of i of alms1 and j of alms2
    lmax, mmax: of the coefficients; by default found from their number, with mmax = lmax
    lmax_out: of the spectra, at most lmax
    nspec: number of spectra that are returned; by default all
    """
    first, is_sequence = read_alm(alms1, "alms1")
    second = first if alms2 is None else read_alm(alms2, "alms2")[0]
    if second.shape != first.shape:
        raise InputError(f"alms1 has the shape {first.shape}, alms2 {second.shape}: pass the same components and lmax")
    lmax, mmax = layout_of(first.shape[1], lmax, mmax, "alms1")
    count = lmax + 1 if lmax_out is None else min(lmax_out, lmax) + 1
    pairs = _pairs(len(first))[:nspec]
    cl = np.empty((len(pairs), count))
    for k, (i, j) in enumerate(pairs):
        a, b = first[i], second[j]
        products = a.real * b.real + a.imag * b.imag
        products[:lmax + 1] = a.real[:lmax + 1] * b.real[:lmax + 1]  # m = 0 is real
        total = np.zeros(lmax + 1)
        for m, (degrees, stored) in enumerate(orders(lmax, mmax)):
            if m == 1:
                total *= 0.5
            total[degrees] += products[stored]
        if mmax > 0:
            total *= 2
        cl[k] = (total / (2 * np.arange(lmax + 1) + 1))[:count]
    return cl if is_sequence else cl[0]


def anafast(map1, map2=None, nspec=None, lmax=None, mmax=None, iter=3, alm=False, pol=True, use_weights=False,
            datapath=None, gal_cut=0, use_pixel_weights=False):
    """C_l of a map, or of a sequence of maps; with map2 cross spectra. With alm=True (C_l, alm) or (C_l, alm1, alm2).

    nspec: see alm2cl(); the others: see map2alm()
    """
    def alm_of(maps):
        return map2alm(maps, lmax, mmax, iter, pol, use_weights, datapath, gal_cut, use_pixel_weights)

    found = [alm_of(maps) for maps in (map1, map2) if maps is not None]
    cl = alm2cl(*found, lmax=lmax, mmax=mmax, nspec=nspec)
    return (cl, *found) if alm else cl


def _matrices(cls, new):
    """Spectra as matrices [l][component][component], from the arguments of synalm(), and whether cls is a sequence."""
    is_sequence = is_sequence_of_arrays(cls) or isinstance(cls, (list, tuple)) and any(cl is None for cl in cls)
    parts = [cls] if not is_sequence else cls if isinstance(cls, (list, tuple)) else np.asarray(cls)
    spectra = [None if cl is None else np.asarray(cl, np.float64) for cl in parts]
    components = int(np.sqrt(2 * len(spectra)))
    if len(spectra) == 4:
        components = 3
        spectra = [*spectra, None, None] if new else [*spectra[:2], None, spectra[2], None, spectra[3]]
    if components * (components + 1) // 2 != len(spectra):
        raise InputError(f"cls has {len(spectra)} spectra: pass 1, 4 (for T, E, B) or n (n + 1) / 2 for n components")
    given = [cl for cl in spectra if cl is not None]
    if not given or any(cl.ndim != 1 for cl in given):
        raise InputError("cls has no spectra, or some of more than one dimension: pass one array [l] for each")
    matrices = np.zeros((max(map(len, given)), components, components))
    pairs = _pairs(components) if new else [(i, j) for i in range(components) for j in range(i, components)]
    for (i, j), cl in zip(pairs, spectra):
        if cl is not None:
            matrices[:len(cl), i, j] = matrices[:len(cl), j, i] = cl
    return matrices, is_sequence


def _roots(matrices):
    """Lower triangular matrices L with L L^T = the given [l][i][j]. As in healpy, a component whose variance, given
    those before it, is negative gets none of its own; a RuntimeWarning says for which l, unless it is rounding."""
    roots = np.zeros_like(matrices)
    bad = np.zeros(len(matrices), bool)
    for j in range(matrices.shape[1]):
        rest = matrices[:, j:, j] - np.einsum("lik,lk->li", roots[:, j:, :j], roots[:, j, :j])
        pivot = rest[:, 0]
        is_positive = (pivot > 0)[:, np.newaxis]
        np.divide(rest, np.sqrt(np.abs(pivot))[:, np.newaxis], out=roots[:, j:, j], where=is_positive)
        bad |= ~(pivot >= -_ROUNDING * np.abs(matrices[:, j, j]))
    if bad.any():
        warnings.warn(f"the spectra of l = {int(np.argmax(bad))} are not those of random fields, as their matrix is "
                      "not positive semi-definite: check the order of cls and the argument new", RuntimeWarning,
                      stacklevel=4)
    return roots


def synalm(cls, lmax=None, mmax=None, new=False, verbose=True):
    """Random coefficients of given spectra. They are drawn from numpy.random, in the order of healpy: the same
    numpy.random.seed() gives the same coefficients.

    cls: one spectrum, or a sequence of 4 or n (n + 1) / 2, of which some may be None (0)
    lmax, mmax: by default the last l of the spectra, and lmax
    new: whether spectra are ordered by diagonals (TT, EE, BB, TE, EB, TB; TT, EE, BB, TE), else by rows (TT, TE, TB,
        EE, EB, BB; TT, TE, EE, BB)
    verbose: ignored, as in healpy
    """
    matrices, is_sequence = _matrices(cls, new)
    if lmax is None or lmax < 0:
        lmax = len(matrices) - 1
    mmax = lmax if mmax is None or mmax < 0 else min(mmax, lmax)
    matrices = matrices[:lmax + 1]
    roots = np.zeros((lmax + 1, *matrices.shape[1:]))
    roots[:len(matrices)] = _roots(matrices)
    alm = np.empty((matrices.shape[1], Alm.getsize(lmax, mmax)), np.complex128)
    for values in alm:
        values.real = np.random.standard_normal(values.size)
        values.imag = np.random.standard_normal(values.size)
    alm[:, :lmax + 1].imag = 0
    alm[:, lmax + 1:] *= np.sqrt(0.5)
    for degrees, stored in orders(lmax, mmax):
        alm[:, stored] = np.einsum("lij,jl->il", roots[degrees], alm[:, stored])
    return alm if is_sequence else alm[0]


def synfast(cls, nside, lmax=None, mmax=None, alm=False, pol=True, pixwin=False, fwhm=0.0, sigma=None, new=False,
            verbose=True):
    """A random map of given spectra; with alm=True (map, alm).

    lmax: by default the last l of the spectra, at most 3 nside - 1
    cls, mmax, new: see synalm(); pol, pixwin, fwhm, sigma: see alm2map(), whose beams and windows alm has too
    """
    nside = nside_of(nside)
    if lmax is None or lmax < 0:
        lmax = min(len(_matrices(cls, new)[0]) - 1, 3 * nside - 1)
    alms = synalm(cls, lmax, mmax, new)
    map = alm2map(alms, nside, lmax, mmax, pixwin, fwhm, sigma, pol, inplace=True)
    return (map, alms) if alm else map

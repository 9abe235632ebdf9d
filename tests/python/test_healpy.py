"""armilla.healpy beside healpy: each expression is evaluated with both, and results, their types and the arguments
afterwards are compared. Calls whose results differ on purpose are in test_healpy_differences.py."""
import copy
import warnings

import numpy as np
import pytest

import armilla.healpy
from armilla.healpy import UNSEEN

NSIDE, LMAX = 16, 40

# Largest difference over largest value: double-precision sums of 47^2 terms, up to eight times one after the other.
ROUNDING = 1e-12
# HEALPix's files of ring weights are another solution of the same equations, whose condition number is about 100. Both
# integrate fields up to 3 nside exactly, so that they agree for maps and coefficients up to half of that.
RING_WEIGHTS = 1e-10
# The fits stop at a relative change of 1e-10, which bounds the error up to the condition number of the grid, below 2.
FIT = 1e-9


# healpy is not imported here, because runs of other tests of this folder also read this file.
@pytest.fixture(scope="module")
def healpy():
    return pytest.importorskip("healpy")


@pytest.fixture(scope="module")
def names(healpy):
    rng = np.random.default_rng(5)
    npix = 12 * NSIDE**2
    m = rng.normal(size=(3, npix)) + 0.5
    n = rng.normal(size=(3, npix))
    u = m.copy()
    u[0, ::7] = u[1, 5:100] = UNSEEN
    u32 = u.astype(np.float32)
    masked = np.ma.masked_array(m, rng.random((3, npix)) < 0.1, fill_value=UNSEEN)
    alm, other = healpy.map2alm(m, lmax=LMAX, iter=0), healpy.map2alm(n, lmax=LMAX, iter=0)
    thin = healpy.map2alm(m, lmax=LMAX, mmax=9, iter=0)
    smooth = healpy.alm2map(healpy.map2alm(m, lmax=24, iter=0), NSIDE)
    l = np.arange(LMAX + 1)
    cl = np.array([[1], [0.1], [0.01], [0.15], [0.002], [0.01]]) / (l + 1.0)**2
    return {"np": np, "m": m, "t": m[0], "n": n, "u": u, "u32": u32, "masked": masked, "smooth": smooth, "alm": alm,
            "other": other, "thin": thin, "cl": cl, "b": np.linspace(1, 0.3, 30), "rot": np.radians([10, 70, -30])}


def evaluated(module, expression, names):
    known = {name: copy.deepcopy(value) for name, value in names.items() if name != "np"}
    np.random.seed(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(expression, {"hp": module, "np": np, **known})
    return result, known


def check(value, right, tolerance):
    assert type(value) is type(right) or all(isinstance(one, float) for one in (value, right))
    if isinstance(right, (list, tuple)):
        assert len(value) == len(right)
        for part, right_part in zip(value, right):
            check(part, right_part, tolerance)
    elif isinstance(right, np.ndarray):
        assert (value.shape, value.dtype) == (right.shape, right.dtype)
        if isinstance(right, np.ma.MaskedArray):
            assert np.array_equal(value.mask, right.mask) and value.fill_value == right.fill_value
        is_bad = np.ma.getdata(right) == UNSEEN
        assert np.array_equal(np.ma.getdata(value) == UNSEEN, is_bad)
        value, right = (np.where(is_bad, 0, np.ma.getdata(array)) for array in (value, right))
        for part, right_part in zip(np.atleast_2d(value), np.atleast_2d(right)):
            error, largest = float(np.abs(part - right_part).max()), float(np.abs(right_part).max())
            assert error <= tolerance * largest
    elif isinstance(right, float):
        assert abs(value - right) <= tolerance * abs(right)
    else:
        assert value == right


ALIKE = {
    ROUNDING: """
        hp.map2alm(t)
        hp.map2alm(m)
        hp.map2alm(list(m), lmax=30, mmax=12, iter=1)
        hp.map2alm(m[:1], iter=0)
        hp.map2alm(m[:2], pol=False)
        hp.map2alm(m, pol=False, lmax=20)
        hp.map2alm(u)
        hp.map2alm(u32, iter=0)
        hp.map2alm(masked, iter=0)
        hp.map2alm([masked[0], masked[1], masked[2]], iter=1)
        hp.map2alm(t, gal_cut=20.0, iter=1)
        hp.map2alm((t * 10).astype(int), iter=0)
        hp.map2alm(m[:, ::-1], iter=0)
        hp.map2alm(t[:12 * 11**2], iter=0)
        hp.map2alm_spin(m[1:], 2)
        hp.map2alm_spin(list(m[:2]), 1, lmax=30, mmax=12)
        hp.map2alm_spin(u[:2], 3, lmax=30)
        hp.map2alm_spin(m[:2], 0, 20)
        hp.alm2map(alm[0], 16)
        hp.alm2map(alm, 8)
        hp.alm2map(list(alm), 11, fwhm=0.2)
        hp.alm2map(tuple(alm), 8, sigma=0.1, fwhm=7.0)
        hp.alm2map(alm, 8, pol=False, fwhm=0.1)
        hp.alm2map(alm[:2], 8, pol=False)
        hp.alm2map(alm[:1], 8, pol=False)
        hp.alm2map(alm, 16, pixwin=True)
        hp.alm2map(alm.copy(), 8, pixwin=True, fwhm=0.1, inplace=True)
        hp.alm2map(thin, 16, lmax=40, mmax=9)
        hp.alm2map(alm, 16, 40, -1)
        hp.alm2map_spin(alm[1:], 16, 2, 40)
        hp.alm2map_spin(list(thin[:2]), 16, 1, 40, 9)
        hp.alm2map_spin(alm[1:], 16, 5, 40)
        hp.alm2map_spin(alm[1:], 16, 0, 40)
        hp.alm2map_der1(alm[0], 16)
        hp.alm2map_der1(thin[0], 8, 40, 9)
        hp.anafast(m)
        hp.anafast(t, lmax=20)
        hp.anafast(m, n, lmax=20, alm=True)
        hp.anafast(masked, alm=True, iter=0)
        hp.anafast(m[:2], pol=False, iter=0)
        hp.anafast(m, nspec=3, lmax=20, mmax=10, iter=0)
        hp.anafast(u, gal_cut=10, iter=1)
        hp.alm2cl(alm[0])
        hp.alm2cl(alm[0], other[1])
        hp.alm2cl(alm, other)
        hp.alm2cl(alm[:2])
        hp.alm2cl(alm, lmax_out=12)
        hp.alm2cl(alm, lmax_out=100, nspec=2)
        hp.alm2cl(thin, lmax=40, mmax=9)
        hp.synalm(cl[0])
        hp.synalm(cl, new=True)
        hp.synalm(list(cl[:4]), lmax=30, new=True)
        hp.synalm([cl[0], cl[3], cl[1], cl[2]], lmax=30)
        hp.synalm([cl[0], None, cl[2]])
        hp.synalm([cl[0]])
        hp.synalm([cl[0], cl[0], cl[0] / 2])
        hp.synfast(cl[0], 8)
        hp.synfast(cl, 16, new=True, alm=True, fwhm=0.1)
        hp.synfast(cl[:4], 16, new=True, lmax=20, pixwin=True, alm=True)
        hp.synfast([cl[0], cl[5], cl[1]], 16, pol=False, sigma=0.05)
        hp.smoothing(m, fwhm=0.2)
        hp.smoothing(t, sigma=0.1, lmax=20)
        hp.smoothing(u, fwhm=0.2)
        hp.smoothing(u32, fwhm=0.1, iter=0)
        hp.smoothing(masked, fwhm=0.2, iter=1)
        hp.smoothing([masked[0], masked[1], masked[2]], fwhm=0.1, iter=0)
        hp.smoothing(u[:2], fwhm=0.2, pol=False, iter=1)
        hp.smoothing(m, beam_window=b, iter=0, nest=True)
        hp.smoothing(m)
        hp.smoothalm(alm, fwhm=0.1)
        hp.smoothalm(list(alm), sigma=0.1)
        hp.smoothalm(tuple(alm), fwhm=0.1, pol=False, inplace=False)
        hp.smoothalm(alm[0], beam_window=b)
        hp.smoothalm(thin, fwhm=0.1, mmax=9)
        hp.smoothalm(alm.astype(np.complex64), fwhm=0.1)
        hp.almxfl(alm[0], b)
        hp.almxfl(alm[0], np.ones(70), inplace=True)
        hp.almxfl(thin[0], 1j * b, mmax=9)
        hp.almxfl(alm[0].astype(np.complex64), list(b), inplace=True)
        hp.almxfl(alm[0, ::-1], b, inplace=True)
        hp.gauss_beam(0.1, lmax=50)
        hp.gauss_beam(0.1, lmax=50, pol=True)
        hp.pixwin(16, pol=True)[1].astype(float)
        hp.pixwin(16, lmax=20).astype(float)
        hp.rotate_alm(alm, *rot)
        hp.rotate_alm(alm[0], 0.3)
        hp.rotate_alm([alm[0], alm[1]], *rot)
        hp.rotate_alm(alm[2], matrix=hp.Rotator(coord="GC").mat)
        hp.Rotator(coord="GE").rotate_alm(alm)
        hp.Rotator(coord="GE").rotate_alm(alm, inplace=True)
        hp.Rotator(coord=["C", "E"], rot=(10, 20)).rotate_map_alms(m, use_pixel_weights=False, lmax=30)
        hp.Rotator(rot=rot, deg=False, eulertype="Y").mat
        hp.Rotator(rot=rot, deg=False, eulertype="X", inv=True).mat
        hp.Rotator(rot=[(10, 20, 30), (5, 6, 7)], coord=[("G", "E"), ("C", "E")], inv=[False, True]).mat
        (hp.Rotator(coord="GE") * hp.Rotator(coord="CG")).mat
        hp.Rotator(coord="EC").get_inverse().coordin
        hp.Rotator(coord="EC")(1.0, 0.3)
        hp.Rotator(coord="EC")(rot[:2], [1.0, 2.0])
        hp.Rotator(coord="EC").I(np.eye(3))
        hp.Rotator(coord="EC")(20, 30, lonlat=True)
        hp.Rotator(coord="EC").angle_ref([1.0, 2.0], [0.2, 0.5])
        hp.Rotator(coord="EC").angle_ref(20, 30, lonlat=True)
        hp.Alm.getlm(9)
        hp.Alm.getlm(9, 30)
        [hp.Alm.getlmax(s, mmax) for s in range(1, 60) for mmax in (None, 0)]
        [hp.Alm.getsize(9), hp.Alm.getsize(9, 4), hp.Alm.getsize(9, 20), hp.Alm.getidx(9, 7, 3)]""",
    RING_WEIGHTS: """
        hp.map2alm(smooth, use_weights=True, lmax=24)
        hp.smoothing(smooth, fwhm=0.1, use_weights=True, lmax=24)""",
    FIT: """
        hp.map2alm_lsq(t, 30, 30)[0]
        hp.map2alm_lsq(m, 30, 30)[0]
        hp.map2alm_lsq(m, 30, 30)[1]
        hp.map2alm_lsq(m[:2], 30, 30, pol=False)[0]""",
}


@pytest.mark.parametrize("tolerance, expression", [
    pytest.param(tolerance, line.strip(), id=line.strip())
    for tolerance, lines in ALIKE.items() for line in lines.strip().splitlines()])
def test_like_healpy(healpy, names, tolerance, expression):
    try:
        right, right_names = evaluated(healpy, expression, names)
    except (ImportError, OSError) as error:  # healpy of PyPI has optional packages, and downloads pixel windows
        pytest.skip(f"healpy cannot compute this here: {error}")
    value, value_names = evaluated(armilla.healpy, expression, names)
    check(value, right, tolerance)
    for name, argument in right_names.items():
        check(value_names[name], argument, tolerance)

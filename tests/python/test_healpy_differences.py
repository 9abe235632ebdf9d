"""armilla.healpy where it differs from healpy or extends it, bad input, and the transforms that it keeps."""
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import armilla
import armilla.healpy as hp
from armilla.healpy import plans

NSIDE, LMAX = 16, 24
ROUNDING = 1e-12  # of sums of 25^2 terms in double precision, relative to the largest value


def random_alm(components, lmax=LMAX, seed=3):
    rng = np.random.default_rng(seed)
    l, m = hp.Alm.getlm(lmax)
    alm = (rng.normal(size=(components, l.size)) + 1j * rng.normal(size=(components, l.size)) * (m > 0)) / (l + 1)
    alm[1:, l < 2] = 0
    return alm


def close(value, right, tolerance=ROUNDING):
    return value.shape == right.shape and float(np.abs(value - right).max()) <= tolerance * float(np.abs(right).max())


def test_pixel_weights_are_exact():
    alm = random_alm(3)
    assert close(hp.map2alm(hp.alm2map(alm, NSIDE), lmax=LMAX, iter=0, use_pixel_weights=True), alm)


def test_rotate_map_alms_uses_pixel_weights():
    alm = random_alm(3)
    rotator = hp.Rotator(coord="GC")
    rotated = rotator.rotate_map_alms(hp.alm2map(alm, NSIDE), lmax=LMAX)
    assert close(rotated, hp.alm2map(rotator.rotate_alm(alm), NSIDE), 1e-11)  # three iterations too


def test_rotation_and_its_inverse():
    alm = random_alm(3, lmax=64)
    rotated = alm.copy()
    hp.rotate_alm(rotated, 0.1, 0.2, 0.3)
    assert not np.allclose(rotated, alm)
    hp.rotate_alm(rotated, -0.3, -0.2, -0.1)
    l, m = hp.Alm.getlm(64)
    norms = np.array([[np.sqrt((np.abs(part[l == k])**2).sum()) for k in range(65)] for part in alm])
    # Two rotations of up to 65 terms each.
    assert (np.abs(rotated - alm) <= 1e-14 * norms[:, l]).all()


def test_rotation_of_components_of_different_lmax():
    parts = [random_alm(1, lmax=8)[0], random_alm(2, lmax=4)[0]]
    each = [part.copy() for part in parts]
    hp.rotate_alm(parts, 0.1, 0.2, 0.3)
    for part, alone in zip(parts, each):
        hp.rotate_alm(alone, 0.1, 0.2, 0.3)
        np.testing.assert_array_equal(part, alone)
    single = hp.Rotator(coord="GC").rotate_alm(each[0].astype(np.complex64))
    assert close(single, hp.Rotator(coord="GC").rotate_alm(each[0]), 1e-6)


def test_smoothing_of_nested_maps_keeps_unseen_pixels():
    healpy = pytest.importorskip("healpy")
    ring = np.random.default_rng(1).normal(size=(3, 12 * NSIDE**2))
    ring[0, 5] = ring[2, 700:720] = hp.UNSEEN
    nested = healpy.reorder(ring, r2n=True)
    smooth = hp.smoothing(nested, fwhm=0.2, nest=True)
    assert np.array_equal(smooth == hp.UNSEEN, nested == hp.UNSEEN)
    assert np.array_equal(smooth, healpy.reorder(hp.smoothing(ring, fwhm=0.2), r2n=True))


def test_masked_pixels_count_as_zero_whatever_the_fill_value():
    values = np.random.default_rng(1).normal(size=12 * NSIDE**2)
    mask = values > 1
    masked = np.ma.masked_array(values, mask, fill_value=1e20)
    assert np.array_equal(hp.map2alm(masked, iter=0), hp.map2alm(np.where(mask, 0, values), iter=0))
    assert np.array_equal(hp.smoothing(masked, fwhm=0.1).mask, mask)


def test_beams_of_coefficients_with_mmax():
    alm = hp.resize_alm(random_alm(3), LMAX, LMAX, LMAX, 5)
    assert close(hp.alm2map(alm, 8, mmax=5, fwhm=0.3), hp.alm2map(hp.smoothalm(alm, fwhm=0.3, mmax=5, inplace=False), 8,
                                                                  lmax=LMAX, mmax=5))


def test_random_coefficients_with_mmax():
    cl = 1 / (1.0 + np.arange(LMAX + 1))**2
    np.random.seed(4)
    alm = hp.synalm(cl, mmax=5)
    np.random.seed(4)
    numbers = np.random.standard_normal(alm.size) + 1j * np.random.standard_normal(alm.size)
    for m in range(6):
        of_m = slice(hp.Alm.getidx(LMAX, m, m), hp.Alm.getidx(LMAX, LMAX, m) + 1)
        right = numbers[of_m].real if m == 0 else numbers[of_m] / np.sqrt(2)
        assert close(alm[of_m], right * np.sqrt(cl[m:]) + 0j)


def test_impossible_spectra_warn():
    ones = np.ones(10)
    with pytest.warns(RuntimeWarning, match="the spectra of l = 0 are not those of random fields"):
        hp.synalm([ones, 2 * ones, ones])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hp.synalm([ones, ones, ones])


@pytest.mark.parametrize("lmax, mmax, lmax_out, mmax_out", [(8, 8, 5, 3), (8, 4, 10, 10), (8, 4, 12, 2), (3, 3, 3, 3)])
def test_resize(lmax, mmax, lmax_out, mmax_out):
    def labelled(lmax, mmax):
        return np.array([100 * l + m + 1 for m in range(mmax + 1) for l in range(m, lmax + 1)], complex)

    resized = hp.resize_alm(labelled(lmax, mmax), lmax, mmax, lmax_out, mmax_out)
    is_kept = resized != 0
    assert np.array_equal(resized[is_kept], labelled(lmax_out, mmax_out)[is_kept])
    assert is_kept.sum() == hp.Alm.getsize(min(lmax, lmax_out), min(mmax, mmax_out, lmax, lmax_out))


def test_least_squares_warn_beyond_maxiter():
    noise = np.random.default_rng(1).normal(size=12 * NSIDE**2)
    with pytest.warns(RuntimeWarning, match="maxiter = 1, but"):
        hp.map2alm_lsq(noise, 40, 40, maxiter=1)


MAP, ALM = np.zeros(12 * NSIDE**2), np.zeros(hp.Alm.getsize(LMAX), complex)


@pytest.mark.parametrize("call, message", [
    (lambda: hp.map2alm(MAP[:100]), "maps has 100 pixels, which is not 12 nside^2"),
    (lambda: hp.map2alm([MAP, MAP]), "maps has 2 components: with pol=True pass 1 or 3"),
    (lambda: hp.map2alm([MAP, MAP, MAP[:192]]), "maps has components of different sizes"),
    (lambda: hp.map2alm(MAP * 1j), "maps has dtype complex128: pass real numbers"),
    (lambda: hp.map2alm(np.zeros((2, 3, 192))), "maps has the shape (2, 3, 192)"),
    (lambda: hp.map2alm(MAP, lmax=10, mmax=20), "mmax = 20"),
    (lambda: hp.map2alm(MAP, lmax=48), "lmax = 48 exceeds 3 nside - 1 = 47"),
    (lambda: hp.map2alm(MAP, lmax=1.5), "lmax = 1.5"),
    (lambda: hp.map2alm(MAP, use_weights=True, use_pixel_weights=True), "use one of them"),
    (lambda: hp.map2alm(np.where(np.arange(MAP.size) == 9, np.nan, 0)), "1 values that are NaN"),
    (lambda: hp.map2alm_spin([MAP, MAP, MAP], 2), "maps has 3 components: pass two"),
    (lambda: hp.map2alm_spin([MAP, MAP], -1), "spin = -1: use an integer from 0"),
    (lambda: hp.alm2map(ALM, 0), "nside = 0: use a positive integer"),
    (lambda: hp.alm2map(ALM, 8, lmax=5), "alm has 325 coefficients, but 21 are needed for lmax = 5"),
    (lambda: hp.alm2map(ALM[:-1], 8), "alm has 324 coefficients, which no lmax has"),
    (lambda: hp.alm2map(ALM.real, 8), "alms has dtype float64: pass complex numbers"),
    (lambda: hp.alm2map([ALM, ALM], 8), "alms has 2 components"),
    (lambda: hp.alm2map_spin([ALM], 8, 2, LMAX), "alms has 1 components: pass two"),
    (lambda: hp.alm2map_der1([ALM], 8), "alm has the shape (1, 325): pass one component"),
    (lambda: hp.alm2cl(ALM, ALM[:6]), "alms1 has the shape (1, 325), alms2 (1, 6)"),
    (lambda: hp.synalm([np.ones(3), np.ones(3)]), "cls has 2 spectra: pass 1, 4"),
    (lambda: hp.synalm([None, None, None]), "cls has no spectra"),
    (lambda: hp.almxfl(np.array([ALM]), np.ones(5)), "pass one-dimensional arrays"),
    (lambda: hp.smoothalm(ALM, beam_window=np.ones((2, 5))), "beam_window has the shape (2, 5)"),
    (lambda: hp.rotate_alm(ALM.astype(np.complex64), 0.1), "pass arrays of complex128"),
    (lambda: hp.rotate_alm(ALM, 0.1, 0.2, np.inf), "use finite angles"),
    (lambda: hp.rotate_alm(ALM[:hp.Alm.getsize(5, 2)], 0.1, lmax=5, mmax=2), "mmax = 2 below lmax = 5"),
    (lambda: hp.Rotator(coord="GX"), "coord = 'GX'"),
    (lambda: hp.Rotator(rot=(1, 2, 3, 4)), "rot = (1, 2, 3, 4): use one to three angles"),
    (lambda: hp.Rotator(rot=[(1, 2)], coord=["G", "C"]), "sequences of the same length"),
    (lambda: hp.Alm.getlm(9, 55), "i = 55: use indices from 0 to 54"),
    (lambda: hp.smoothing(np.zeros(12 * 9), nest=True), "nside = 3 has no NESTED order"),
])
def test_bad_input(call, message):
    with pytest.raises(armilla.InputError) as caught:
        call()
    assert message in str(caught.value)


def test_works_without_healpy():
    program = """
import sys
sys.modules["healpy"] = None
import numpy, armilla.healpy as hp
hp.anafast(numpy.ones(192)); hp.Rotator(coord="GC"); hp.smoothing(numpy.ones(192), fwhm=0.1, nest=True)
try: hp.pixwin(16)
except ValueError as error: assert "pip install 'armilla[healpy]'" in str(error)
assert "astropy" not in sys.modules and "scipy" not in sys.modules
print("done")"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "done\n"


def test_threads_have_transforms_of_their_own():
    maps = [np.random.default_rng(seed).normal(size=12 * 64**2) for seed in range(4)]
    right = [hp.map2alm(map) for map in maps]
    found = [None] * 4

    def work(i):
        found[i] = hp.map2alm(maps[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(found, right))


def test_transforms_are_kept_and_released(monkeypatch):
    made = []

    def make(nside, *rest, make=plans._make):
        made.append(nside)
        if made.count(99):
            made.remove(99)
            raise armilla.ResourceError("no memory")
        return make(nside, *rest)

    monkeypatch.setattr(plans, "_make", make)
    hp.clear_plans()
    for nside in (1, 2, 1, 4, 8, 1, 16, 2):  # 2 is the least recently used of four when 16 comes
        hp.alm2map(ALM, nside)
    assert made == [1, 2, 4, 8, 16, 2] and len(plans._kept) == plans.KEPT_PLANS
    made.append(99)  # the next one fails once, and succeeds when the others are released
    hp.alm2map(ALM, 32)
    assert made[-2:] == [32, 32] and len(plans._kept) == 1
    monkeypatch.setattr(plans, "KEPT_BYTES", 0)
    hp.alm2map(ALM, 1)
    hp.alm2map(ALM, 2)
    assert len(plans._kept) == 1


def test_objects_are_arrays():
    alm = armilla.Alm(random_alm(3))
    sky = armilla.synthesis(alm, grid=f"healpix:{NSIDE}")
    cl = armilla.spectra(alm)
    for call in (lambda m, a, c: hp.smoothing(m, fwhm=0.1, lmax=LMAX), lambda m, a, c: hp.anafast(m, lmax=LMAX),
                 lambda m, a, c: hp.alm2map(a, NSIDE), lambda m, a, c: hp.synfast(c, NSIDE, new=True),
                 lambda m, a, c: hp.map2alm(m, lmax=LMAX)):
        found = []
        for operands in ((sky, alm, cl), (sky.values, alm.values, cl.values)):
            np.random.seed(3)
            found.append(call(*operands))
        np.testing.assert_array_equal(*found)
    turned = alm.values.copy()
    hp.rotate_alm(turned, 0.1, 0.2, 0.3)
    hp.rotate_alm(alm, 0.1, 0.2, 0.3)  # in place
    np.testing.assert_array_equal(alm.values, turned)


def test_other_functions_of_healpy_are_named():
    assert armilla.__getattr__("healpy") is hp
    with pytest.raises(AttributeError, match="armilla.healpy has no 'read_map'.* use healpy.read_map, or armilla.read"):
        hp.read_map
    with pytest.raises(AttributeError, match="module 'armilla' has no attribute 'anafast'"):
        armilla.anafast

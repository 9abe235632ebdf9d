"""Sums over spherical harmonics of any spin at a few points, in extended precision: what transforms at points are
compared with."""
import numpy as np

Extended = np.longdouble
BLOCK = 32  # points at once: rows of all orders stay in the caches


def first_values(lmax, n, theta):
    """d^l_{m n}(theta) at l = max(m, |n|): [m][point]. Products from order to order, so that no logarithm rounds them;
    sin^m underflows only where all degrees do."""
    half_sine, half_cosine = np.sin(theta / 2), np.cos(theta / 2)
    values = np.empty((lmax + 1, theta.size), dtype=Extended)
    size = abs(n)
    for m in range(lmax + 1):
        if m <= size:
            # A symmetry of d^size_{size k} = sqrt(binomial(2 size, size + k)) cos^(size + k) (-sin)^(size - k).
            k = m if n >= 0 else -m
            binomial = Extended(1)
            for i in range(size + k):
                binomial = binomial * (2 * size - i) / (i + 1)
            sign = (-1) ** (m - n) if n >= 0 else 1
            values[m] = sign * np.sqrt(binomial) * half_cosine ** (size + k) * (-half_sine) ** (size - k)
        else:
            factor = np.sqrt(Extended(2 * m) * (2 * m - 1) / (Extended(m + n) * (m - n)))
            values[m] = values[m - 1] * (-half_sine * half_cosine) * factor
    return values


def wigner_sums(alms, lmax, n, theta):
    """[alm][m][point] Sums over l of sqrt((2 l + 1) / 4 pi) d^l_{m n}(theta) a_lm; alms [m][l]."""
    sums = np.zeros((len(alms), lmax + 1, theta.size), dtype=np.clongdouble)
    start = first_values(lmax, n, theta)
    cosine = np.cos(theta)
    before, now = np.zeros_like(start), np.zeros_like(start)
    m = np.arange(lmax + 1, dtype=Extended)[:, None]
    for l in range(abs(n), lmax + 1):
        fresh = slice(0, l + 1) if l == abs(n) else slice(l, l + 1)
        now[fresh] = start[fresh]
        scale = np.sqrt((2 * Extended(l) + 1) / (4 * Extended(np.pi)))
        active = slice(0, l + 1)
        for total, alm in zip(sums, alms):
            total[active] += (scale * alm[active, l])[:, None] * now[active]
        if l == lmax:
            break
        # Varshalovich et al. 1988, 4.8 (16); for l = 0 this is d^1_00 = cos(theta).
        orders = m[active]
        if l == 0:
            after = cosine[None, :] * now[active]
        else:
            up = l * np.sqrt((l + 1) ** 2 - orders ** 2) * np.sqrt(Extended((l + 1) ** 2 - n ** 2))
            down = (l + 1) * np.sqrt(np.maximum(l ** 2 - orders ** 2, 0)) * np.sqrt(Extended(l ** 2 - n ** 2))
            after = ((2 * l + 1) * (l * (l + 1) * cosine[None, :] - orders * n) * now[active]
                     - down * before[active]) / up
        before[active] = now[active]
        now[active] = after
    return sums


def values_at(alm, lmax, spin, theta, phi):
    """The components of a field at points, [component][point] in extended precision. alm: [component][index] in the order
    of healpy, E and B for spin > 0, in the convention that ducc0, healpy and Armilla share."""
    planes, start = np.zeros((len(alm), lmax + 1, lmax + 1), dtype=complex), 0
    for m in range(lmax + 1):
        planes[:, m, m:] = alm[:, start:start + lmax + 1 - m]
        start += lmax + 1 - m
    m = np.arange(lmax + 1)
    values = np.zeros((len(alm), theta.size), dtype=Extended)
    for first in range(0, theta.size, BLOCK):
        some = slice(first, first + BLOCK)
        t, p = theta[some].astype(Extended), phi[some].astype(Extended)
        angle = m[:, None].astype(Extended) * p[None, :]
        turn = np.cos(angle) + 1j * np.sin(angle)
        if spin == 0:
            sums = wigner_sums(planes, lmax, 0, t)[0] * turn
            values[0, some] = sums[0].real + 2 * sums[1:].real.sum(axis=0)
            continue
        # Q + i U = -sum over all m of (E + i B) (-1)^spin sqrt((2 l + 1) / 4 pi) d^l_{m -spin} exp(i m phi), where
        # d^l_{-m -spin} = (-1)^(m + spin) d^l_{m spin} and a_{l -m} = (-1)^m conj(a_lm).
        sign = -1 if spin % 2 == 0 else 1
        orders = wigner_sums([planes[0] + 1j * planes[1]], lmax, -spin, t)[0] * turn
        others = wigner_sums([np.conj(planes[0]) + 1j * np.conj(planes[1])], lmax, spin, t)[0] * np.conj(turn)
        others *= (-1) ** spin
        total = sign * (orders.sum(axis=0) + others[1:].sum(axis=0))
        values[0, some], values[1, some] = total.real, total.imag
    return values

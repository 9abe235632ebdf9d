#!/usr/bin/env python3
"""Removes E-to-B leakage (Liu et al. 2019) with healpy, one map file at a time, for comparison with the step `leakage`.

Example: OMP_NUM_THREADS=2 perf/leakage_healpy.py --maps sims/map_????.fits --mask mask.fits --lmax 512 --out clean
"""
import argparse
import pathlib
import time

import healpy
import numpy as np


def remove_leakage(q, u, mask, lmax, iterations):
    """Returns the cleaned B map, slope and intercept, following steps (i) to (iv) of the documentation."""
    nside = healpy.npix2nside(mask.size)
    zero = np.zeros_like(q)

    def analyse(q, u):
        return healpy.map2alm([zero, q, u], lmax=lmax, iter=iterations, pol=True)[1:]

    e, b = analyse(q * mask, u * mask)
    b_map = healpy.alm2map(b, nside, lmax=lmax)
    _, q, u = healpy.alm2map([np.zeros_like(e), e, np.zeros_like(e)], nside, lmax=lmax, pol=True)
    _, b = analyse(q * mask, u * mask)
    template = healpy.alm2map(b, nside, lmax=lmax)
    good = mask != 0
    slope, intercept = np.polyfit(template[good], b_map[good], 1)
    return np.where(good, b_map - slope * template - intercept, 0.0), slope, intercept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--maps", nargs="+", required=True, help="FITS files with T, Q, U or Q, U")
    parser.add_argument("--mask", required=True)
    parser.add_argument("--lmax", type=int, required=True)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--out", required=True, help="folder for the cleaned B maps")
    arguments = parser.parse_args()
    start = time.perf_counter()
    mask = healpy.read_map(arguments.mask, dtype=np.float64)
    folder = pathlib.Path(arguments.out)
    folder.mkdir(exist_ok=True)
    for name in arguments.maps:
        q, u = healpy.read_map(name, field=None, dtype=np.float64)[-2:]
        clean, slope, intercept = remove_leakage(q, u, mask, arguments.lmax, arguments.iterations)
        healpy.write_map(folder / pathlib.Path(name).name, clean, dtype=np.float64, column_names=["B"], overwrite=True)
        print(f"{name} slope {slope:.12g} intercept {intercept:.12g}")
    print(f"seconds {time.perf_counter() - start:.3f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the Python package, arrays in and out, beside armilla bench, ducc0, SHTns and healpy, on CPUs.

  PYTHONPATH=build/python python3 perf/python_speed.py [--alternations 5] [--cases gauss:63 healpix:1024]

Each row is one transform, timed in alternation; the table has the median of the fastest times of all alternations, and
the ratios of the other codes to it. OMP_NUM_THREADS sets the threads of all codes. ducc0, shtns and healpy are included
if they are installed.
"""
import argparse
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

THREADS = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count()))
os.environ["OMP_NUM_THREADS"] = str(THREADS)

import numpy as np  # noqa: E402  (threads are set first)

import armilla  # noqa: E402

BENCH = pathlib.Path(__file__).resolve().parent.parent / "build/bin/armilla"


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def fastest(call, seconds):
    """The fastest of the calls that fit in this time, at least three."""
    best, end = float("inf"), time.perf_counter() + seconds
    count = 0
    while count < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        count += 1
    return best


def random_alm(lmax, components, rng):
    size = (lmax + 1) * (lmax + 2) // 2
    alm = rng.normal(size=(components, size)) + 1j * rng.normal(size=(components, size))
    alm[:, :lmax + 1].imag = 0
    return alm


def bench(grid, lmax, direction, seconds):
    """armilla bench, which transforms the same fields without Python."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "bench.json")
        rounds = max(3, int(seconds / (3e-9 * lmax ** 3 + 3e-5)))
        subprocess.run([BENCH, "bench", "--grid", grid, "--lmax", str(lmax), "--direction", direction, "--backend", "cpu",
                        "--rounds", str(min(rounds, 2000)), "--json", report], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return min(json.loads(pathlib.Path(report).read_text())[0]["seconds"])


def gauss_rows(lmax, seconds):
    """Scalar transforms on a Gauss grid: a call for each code and direction."""
    grid = f"gauss:{lmax + 1}:{2 * lmax + 2}"
    alm = random_alm(lmax, 1, np.random.default_rng(1))
    plan = armilla.Transform(grid, lmax, threads=THREADS)
    sky = plan.synthesis(alm)
    calls = {"synthesis": {"Armilla": lambda: plan.synthesis(alm)}, "analysis": {"Armilla": lambda: plan.analysis(sky)}}
    for direction, of_code in calls.items():
        of_code["armilla bench"] = lambda direction=direction: bench(grid, lmax, direction, seconds)
    if ducc := optional("ducc0"):
        shape = {"spin": 0, "lmax": lmax, "nthreads": THREADS, "geometry": "GL"}
        image = sky.reshape(1, lmax + 1, 2 * lmax + 2)
        calls["synthesis"]["ducc0"] = lambda: ducc.sht.synthesis_2d(alm=alm, ntheta=lmax + 1, nphi=2 * lmax + 2, **shape)
        calls["analysis"]["ducc0"] = lambda: ducc.sht.analysis_2d(map=image, **shape)
    if lmax > 30 and (module := optional("shtns")):  # its grids have at least 32 rings
        sht = module.sht(lmax, lmax, nthreads=THREADS)
        sht.set_grid(lmax + 1, 2 * lmax + 2, flags=module.sht_gauss | module.SHT_PHI_CONTIGUOUS)
        found, out = alm[0].copy(), sky.reshape(lmax + 1, 2 * lmax + 2).copy()
        calls["synthesis"]["SHTns"] = lambda: sht.SH_to_spat(alm[0], out)
        calls["analysis"]["SHTns"] = lambda: sht.spat_to_SH(out, found)
    return [(f"Gauss, lmax {lmax}, {direction}", of_code) for direction, of_code in calls.items()]


def healpix_rows(nside, seconds):
    """map2alm with three iterations."""
    import armilla.healpy as mine
    lmax = 3 * nside - 1
    sky = np.random.default_rng(1).normal(size=(3, 12 * nside ** 2))
    rows = []
    for name, given in (("T", sky[0]), ("T, Q, U", sky)):
        of_code = {"Armilla": lambda given=given: mine.map2alm(given, lmax=lmax, iter=3)}
        if healpy := optional("healpy"):
            of_code["healpy"] = lambda given=given: healpy.map2alm(given, lmax=lmax, iter=3)
        rows.append((f"map2alm, nside {nside}, iter=3, {name}", of_code))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--alternations", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each code and alternation")
    parser.add_argument("--cases", nargs="+", default=["gauss:15", "gauss:63", "gauss:255", "gauss:1023", "healpix:1024"])
    options = parser.parse_args()
    print(f"{THREADS} threads. Seconds, and the times of the other codes divided by those of Armilla.\n")
    print("| case | Armilla | others |\n|---|---|---|")
    for case in options.cases:
        kind, size = case.split(":")
        rows = {"gauss": gauss_rows, "healpix": healpix_rows}[kind](int(size), options.seconds)
        for name, of_code in rows:
            times = {code: [] for code in of_code}
            for _ in range(options.alternations):
                for code, call in of_code.items():
                    times[code].append(call() if code == "armilla bench" else fastest(call, options.seconds))
            middle = {code: statistics.median(values) for code, values in times.items()}
            others = ", ".join(f"{code} {middle[code] / middle['Armilla']:.2f}" for code in middle if code != "Armilla")
            print(f"| {name} | {middle['Armilla']:.4g} s | {others} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Draws the figures of docs/radial_kernels.md: accuracy and speed of `convolve` by rings, and point sources.

usage: scripts/draw_radial.py [--build build] [--spectrum cl.dat] [--only accuracy|speed|sources]

After figures 2, 5 and 6 of Elsner & Wandelt (2011). Needs numpy, h5py and matplotlib, and a build with
-DARMILLA_PERF=ON. `accuracy` takes 12 GiB of memory. Without --spectrum, C_l falls as (l + 1)^-3."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import matplotlib
import numpy as np

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "armilla", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
from matplotlib import pyplot  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCE / "perf"))
import convolved  # noqa: E402

PICTURES = SOURCE / "docs" / "pictures"
NSIDE, LMAX = 2048, 4095
WIDTHS = {"4.7 arcmin": 4.7, "1 degree": 60}
SPEED_WIDTHS = {512: [5, 10, 20, 30, 45, 60, 90, 120, 300], 2048: [4.7, 7, 10, 15, 20, 30, 60, 120]}


def run(build, folder, job):
    (folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
    subprocess.run([build / "bin" / "armilla", "run", "--quiet", "job.yaml"], check=True, cwd=folder)


def power(alm):
    """C_l of coefficients in the order of healpy."""
    cl, start = np.zeros(LMAX + 1), 0
    for m in range(LMAX + 1):
        count = LMAX + 1 - m
        cl[m:] += (1 if m == 0 else 2) * np.abs(alm[start:start + count])**2
        start += count
    return cl / (2 * np.arange(LMAX + 1) + 1)


def accuracy(build, folder, spectrum):
    """Spectra of maps smoothed by rings, and of their difference from the harmonic method."""
    if spectrum is None:
        spectrum = folder / "cl.dat"
        spectrum.write_text("# L TT\n" + "".join(f"{l} {(l + 1) ** -3.0}\n" for l in range(LMAX + 1)))
        kind = "cl"
    else:
        kind = "dl"
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6), sharey=False)
    for panel, (name, fwhm) in zip(panels, WIDTHS.items()):
        window = convolved.gaussian_window(np, fwhm, LMAX) * (4 * np.pi / (12 * NSIDE**2))  # with the area of a pixel
        rows = "".join(f"{l} {value!r}\n" for l, value in enumerate(map(float, window)))
        (folder / "window.dat").write_text("# L TT\n" + rows)
        steps = [{"random_alm": {"spectrum": str(spectrum), "spectrum_kind": kind, "fields": ["T"], "lmax": LMAX,
                                 "seed": 1, "out": "a"}},
                 {"synthesis": {"alm": "a", "grid": {"healpix": {"nside": NSIDE}}, "out": "m"}},
                 {"convolve": {"map": "m", "kernel": {"gaussian": {"fwhm_arcmin": fwhm}}, "method": "rings",
                               "out": "r"}},
                 {"adjoint_synthesis": {"map": "m", "lmax": LMAX, "out": "b"}},
                 {"multiply": {"alm": "b", "by": {"window": "window.dat"}, "out": "c"}},
                 {"synthesis": {"alm": "c", "grid": {"healpix": {"nside": NSIDE}}, "out": "h"}},
                 {"adjoint_synthesis": {"map": "r", "lmax": LMAX, "out": "alm_r"}},
                 {"adjoint_synthesis": {"map": "h", "lmax": LMAX, "out": "alm_h"}}]
        run(build, folder, {"version": 1, "steps": steps,
                            "outputs": {x: {"file": f"{x}.h5"} for x in ("alm_r", "alm_h")}})
        alms = {}
        for key in ("alm_r", "alm_h"):
            with h5py.File(folder / f"{key}.h5") as file:
                alms[key] = file["alm"][0] * (4 * np.pi / (12 * NSIDE**2))
        rms = np.linalg.norm(alms["alm_r"] - alms["alm_h"]) / np.linalg.norm(alms["alm_h"])
        print(f"{name}: relative rms difference of the coefficients {rms:.2e}", flush=True)
        for label, alm in (("rings", alms["alm_r"]), ("rings - harmonic", alms["alm_r"] - alms["alm_h"])):
            l, cl = np.arange(LMAX + 1), power(alm)
            bins = np.unique(np.geomspace(2, LMAX, 120).astype(int))
            middle = [np.mean(l[a:b]) for a, b in zip(bins, bins[1:])]
            panel.loglog(middle, [np.mean((l * (l + 1) * cl / (2 * np.pi))[a:b]) for a, b in zip(bins, bins[1:])],
                         label=label)
        panel.set(title=f"{name}, nside {NSIDE}", xlabel="l", ylabel="l (l + 1) C_l / 2 pi")
        panel.legend()
    figure.tight_layout()
    figure.savefig(PICTURES / "radial_accuracy.svg", metadata={"Date": None})


def speed(build, threads):
    """Seconds by rings and by harmonics over the width of the kernel, and by rings over the rings in reach."""
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 3.6))
    for nside, widths in SPEED_WIDTHS.items():
        turns = "3" if nside > 1000 else "7"
        done = subprocess.run([build / "perf" / "perf_radial", "--nside", str(nside), "--turns", turns, "--lmax-at-most",
                               str(2 * nside - 1), "--fwhm-arcmin", *map(str, widths)], check=True, text=True,
                              capture_output=True, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
        print(f"nside {nside}\n{done.stdout}", flush=True)
        rows = np.array([[float(x) for x in line.split()[:5]] for line in done.stdout.splitlines()[1:]])
        line = panels[0].loglog(rows[:, 0], rows[:, 3], "o-", ms=3, label=f"rings, nside {nside}")[0]
        panels[0].loglog(rows[:, 0], rows[:, 4], "s--", ms=3, color=line.get_color(), label=f"harmonic, nside {nside}")
        in_reach = 2 * np.radians(rows[:, 1] / 60) * (4 * nside - 1) / np.pi
        panels[1].loglog(in_reach, rows[:, 3] / rows[0, 3], "o-", ms=3, color=line.get_color(), label=f"nside {nside}")
        panels[1].loglog(in_reach, in_reach / in_reach[0], ":", color=line.get_color())
    panels[0].set(xlabel="FWHM [arcmin]", ylabel=f"seconds, {threads} threads")
    panels[1].set(xlabel="rings in reach", ylabel="time by rings, relative (dotted: linear)")
    for panel in panels:
        panel.legend()
    figure.tight_layout()
    figure.savefig(PICTURES / "radial_speed.svg", metadata={"Date": None})


def sources(build, folder):
    """Point sources, convolved by rings and by harmonics, drawn on a scale that shows what is far from them."""
    nside = 64
    numbers = np.random.default_rng(6).choice(12 * nside**2, 12, replace=False)
    pixels = np.zeros((1, 12 * nside**2))
    pixels[0, numbers] = 1
    with h5py.File(folder / "m.h5", "w") as file:
        file.create_dataset("map", data=pixels).attrs.update({"NSIDE": nside, "ORDERING": "RING", "FIELDS": ["T"]})
    kernel = {"gaussian": {"fwhm_arcmin": 300}}
    run(build, folder, {"version": 1, "inputs": {"m": {"map": "m.h5"}},
                        "steps": [{"convolve": {"map": "m", "kernel": kernel, "method": "rings", "out": "rings"}},
                                  {"convolve": {"map": "m", "kernel": kernel, "method": "harmonic",
                                                "out": "harmonic"}}],
                        "outputs": {x: {"file": f"{x}.h5"} for x in ("rings", "harmonic")}})
    for name in ("rings", "harmonic"):
        with h5py.File(folder / f"{name}.h5") as file:
            result = file["map"][0]
        limit = 3e-6 * result.max()
        print(f"{name}: {np.mean(result == 0):.1%} of the pixels are exactly 0", flush=True)
        subprocess.run([build / "bin" / "armilla", "view", f"{name}.h5", "-o", PICTURES / f"radial_sources_{name}.png",
                        "--width", "640", f"--min={-limit}", f"--max={limit}"], check=True, cwd=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=SOURCE / "build", type=pathlib.Path)
    parser.add_argument("--spectrum", type=pathlib.Path, help="table of D_l with a column TT")
    parser.add_argument("--only", choices=["accuracy", "speed", "sources"])
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.only in (None, "sources"):
            sources(build, folder)
        if options.only in (None, "speed"):
            speed(build, int(os.environ.get("OMP_NUM_THREADS", "0")) or len(os.sched_getaffinity(0)))
        if options.only in (None, "accuracy"):
            accuracy(build, folder, options.spectrum.resolve() if options.spectrum else None)


if __name__ == "__main__":
    main()

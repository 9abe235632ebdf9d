#!/usr/bin/env python3
"""Compares the spectra of lensed skies with the lensed spectra of CAMB, and draws the figure of docs/lensing.md.

usage: scripts/draw_lensed_spectra.py UNLENSED LENSED [--skies 10] [--lmax 5500] [--rings 6000] [--folder DIR]

UNLENSED has the columns L TT EE BB TE PP TP EP, LENSED the columns L TT EE BB TE, both as CAMB writes them:
FFP10_wdipole_lenspotentialCls.dat and FFP10_wdipole_lensedCls.dat of the repository of lenspyx. Each sky is one job,
which takes 14 GiB and about a minute on two cores; spectra that are in DIR already are not made again. Exits with 1
where a bin deviates by more than 1% and more than three standard errors. Needs numpy and matplotlib."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
import numpy as np

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "armilla", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
from matplotlib import pyplot  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[1]
SPECTRA = ["TT", "EE", "BB", "TE"]
COMPARED, WIDTH = 2500, 100  # largest degree, and degrees in a bin
LIMIT = 0.01


def job(options, seed):
    grid = {"gauss": {"nlat": options.rings, "nphi": 2 * options.rings}}
    return {"version": 1, "steps": [
        {"random_alm": {"spectrum": str(options.unlensed.resolve()), "spectrum_kind": "dl",
                        "fields": ["T", "E", "B", "P"], "lmax": options.lmax, "seed": seed, "out": "drawn"}},
        {"select": {"alm": "drawn", "fields": ["T", "E", "B"], "out": "unlensed"}},
        {"select": {"alm": "drawn", "fields": ["P"], "out": "potential"}},
        {"lens": {"alm": "unlensed", "potential": "potential", "grid": grid, "accuracy": 1e-7, "out": "lensed"}},
        {"analysis": {"map": "lensed", "lmax": COMPARED, "method": "quadrature", "out": "alm"}},
        {"spectra": {"alm": "alm", "out": "cl"}}], "outputs": {"cl": {"file": f"cl_{seed}.dat"}}}


def table(path):
    """{name: [l - 2]} of the degrees that are compared."""
    names = path.read_text().splitlines()[0].strip("# ").split()
    rows = np.loadtxt(path)
    degrees = rows[:, 0].astype(int)
    chosen = (degrees >= 2) & (degrees <= COMPARED)
    return {name: rows[chosen, i] for i, name in enumerate(names)}


def deviations(skies, truth):
    """{spectrum: [sky, bin]} Means over bins, weighted by 2 l + 1, of C_l over those of the file, minus 1; of TE over
    the root of TT EE, as TE passes zero."""
    l = truth["L"]
    bins = ((l - 1) // WIDTH).astype(int)
    weight = np.bincount(bins, 2 * l + 1)
    result = {}
    for name in SPECTRA:
        scale = np.sqrt(truth["TT"] * truth["EE"]) if name == "TE" else truth[name]
        result[name] = np.array([np.bincount(bins, (2 * l + 1) * (l * (l + 1) * sky[name] / (2 * np.pi) - truth[name])
                                             / scale) / weight for sky in skies])
    return result


def draw(found, output):
    figure, panels = pyplot.subplots(2, 2, figsize=(9, 5.6), sharex=True, sharey=True)
    for panel, name in zip(panels.flat, SPECTRA):
        middle = WIDTH * (np.arange(found[name].shape[1]) + 0.5)
        panel.plot(middle, 100 * found[name].T, color="#bbbbbb", lw=0.6)
        error = found[name].std(axis=0, ddof=1) / np.sqrt(len(found[name]))
        panel.errorbar(middle, 100 * found[name].mean(axis=0), yerr=100 * error, fmt="o", ms=3, lw=1, color="#4c72b0")
        for side in (-1, 1):
            panel.axhline(100 * side * LIMIT, color="#c44e52", ls="--", lw=1)
        panel.set(title=name, ylim=(-2.6, 2.6), xlim=(0, COMPARED))
    for panel in panels[1]:
        panel.set_xlabel("l")
    for panel in panels[:, 0]:
        panel.set_ylabel("deviation [%]")
    figure.tight_layout()
    figure.savefig(output, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("unlensed", type=pathlib.Path)
    parser.add_argument("lensed", type=pathlib.Path)
    parser.add_argument("--armilla", default=SOURCE / "build" / "bin" / "armilla", type=pathlib.Path)
    parser.add_argument("--skies", default=10, type=int)
    parser.add_argument("--lmax", default=5500, type=int, help="of the unlensed fields and the potential")
    parser.add_argument("--rings", default=6000, type=int, help="of the Gauss grid")
    parser.add_argument("--folder", type=pathlib.Path, help="keeps the spectra of the skies")
    parser.add_argument("--output", default=SOURCE / "docs" / "pictures" / "lensed_spectra.svg", type=pathlib.Path)
    options = parser.parse_args()
    truth = table(options.lensed)
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        skies = []
        for seed in range(1, options.skies + 1):
            if not (folder / f"cl_{seed}.dat").is_file():
                (folder / "job.yaml").write_text(json.dumps(job(options, seed)))  # JSON is YAML
                subprocess.run([options.armilla.resolve(), "run", "--quiet", "job.yaml"], check=True, cwd=folder)
            skies.append(table(folder / f"cl_{seed}.dat"))
    found = deviations(skies, truth)
    failed = False
    for name in SPECTRA:
        mean, error = found[name].mean(axis=0), found[name].std(axis=0, ddof=1) / np.sqrt(len(skies))
        limit = np.maximum(3 * error, LIMIT)
        over = np.abs(mean) > limit
        failed = failed or over.any()
        chi2 = np.sum((mean / error)**2)
        print(f"{name}: largest deviation {100 * np.abs(mean).max():.2f}%, from l = {WIDTH + 1} on "
              f"{100 * np.abs(mean[1:]).max():.2f}%; standard errors {100 * error.min():.2f} to {100 * error.max():.2f}%; "
              f"sum of squares over standard errors {chi2:.0f} for {len(mean)} bins; {over.sum()} bins over the limit")
    draw(found, options.output)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

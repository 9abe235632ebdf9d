#!/usr/bin/env python3
"""Draws the time of each stage of transforms at points against lmax and accuracy, for docs/performance.md.

usage: OMP_NUM_THREADS=2 scripts/draw_point_stages.py [--build build] [--turns 5] [--json FILE] [--reuse FILE]

Times are the least of the turns. The theta FFTs run together with the Legendre stage; theirs is the difference from a
Legendre stage on the same rings without them. Hatched bars are the number of FMA of each stage at the peak of the
machine. As many points as HEALPix has pixels at nside (lmax + 1) / 2, displaced as lensing does. After figures 4 and 5 of Belkner, Carron
& Reinecke (2024). Needs numpy and matplotlib, and a build with -DARMILLA_PERF=ON."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import matplotlib
import numpy as np

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "armilla", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
from matplotlib import pyplot  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[1]
LMAX, ACCURACIES = [511, 1023, 2047, 4095], [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 2.1e-12]
LMAX_OF_ACCURACIES, ACCURACY_OF_LMAX = 2047, 1e-7
STAGES = {"plan": "#999999", "legendre": "#4c72b0", "theta_fft": "#55a868", "phi_fft": "#dd8452", "points": "#c44e52"}
NAMES = {"plan": "planning", "legendre": "Legendre", "theta_fft": "theta FFT", "phi_fft": "phi FFT",
         "points": "sums at points"}


def measure(build, lmax, accuracies, turns):
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "points.json"
        subprocess.run([build / "perf" / "perf_points", "--lmax", str(lmax), "--nside", str((lmax + 1) // 2), "--turns",
                        str(turns), "--json", output, "--accuracy", *map(str, accuracies)], check=True)
        return json.loads(output.read_text())


def heights(record, direction):
    """{stage: (time, count at the peak)} in ns per coefficient."""
    unit = 1e9 / (record["lmax"] + 1)**2
    seconds = record["seconds"]
    least = {stage: min(seconds[f"{direction} {stage}"]) for stage in ("legendre", "phi_fft", "points")}
    least["theta_fft"] = min(np.add(seconds[f"{direction} legendre"], seconds[f"{direction} theta_fft"])) - least["legendre"]
    counts = {stage: record["fma"][stage] / record["fma_peak"] * unit for stage in least}
    return {"plan": (min(seconds["plan"]) * unit, 0.0),
            **{stage: (max(least[stage], 0.0) * unit, counts[stage]) for stage in STAGES if stage in least}}


def draw(panel, records, labels, direction):
    low = np.zeros((2, len(records)))
    places = np.arange(len(records))
    for stage, colour in STAGES.items():
        values = np.array([heights(record, direction)[stage] for record in records]).T
        panel.bar(places - 0.2, values[0], 0.36, low[0], color=colour, label=NAMES[stage])
        panel.bar(places + 0.2, values[1], 0.36, low[1], color=colour, hatch="////", edgecolor="white", lw=0)
        low += values
    panel.set_xticks(places, labels)
    panel.grid(axis="x", visible=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=SOURCE / "build", type=pathlib.Path)
    parser.add_argument("--turns", default=5, type=int)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="writes the times")
    parser.add_argument("--reuse", type=pathlib.Path, metavar="FILE", help="draws times that --json wrote")
    parser.add_argument("--output", default=SOURCE / "docs" / "pictures" / "point_stages.svg", type=pathlib.Path)
    options = parser.parse_args()
    if options.reuse:
        records = json.loads(options.reuse.read_text())
    else:
        build = options.build.resolve()
        records = {"lmax": [measure(build, lmax, [ACCURACY_OF_LMAX], options.turns)[0] for lmax in LMAX],
                   "accuracy": measure(build, LMAX_OF_ACCURACIES, ACCURACIES, options.turns)}
    # Where other work ran, less than the peak was measured.
    peak = max(record["fma_peak"] for record in records["lmax"] + records["accuracy"])
    for record in records["lmax"] + records["accuracy"]:
        record["fma_peak"] = peak
    if options.json:
        options.json.write_text(json.dumps(records, indent=2) + "\n")
    figure, panels = pyplot.subplots(2, 2, figsize=(9, 6), sharey=True, width_ratios=[4, 7])
    for row, direction in zip(panels, ("synthesis", "adjoint")):
        draw(row[0], records["lmax"], [str(record["lmax"]) for record in records["lmax"]], direction)
        draw(row[1], records["accuracy"], [f"{record['accuracy']:.0e}" for record in records["accuracy"]], direction)
        row[0].set(ylabel="ns per coefficient", title=f"{direction}, accuracy {ACCURACY_OF_LMAX:.0e}")
        row[1].set(title=f"{direction}, lmax {LMAX_OF_ACCURACIES}")
    panels[1][0].set_xlabel("lmax")
    panels[1][1].set_xlabel("accuracy")
    panels[0][1].legend(ncols=3, fontsize=8)
    figure.tight_layout()
    figure.savefig(options.output, metadata={"Date": None})
    for record in records["lmax"] + records["accuracy"]:
        for direction in ("synthesis", "adjoint"):
            cells = " ".join(f"{NAMES[stage]} {time:.1f} ({count:.1f})"
                             for stage, (time, count) in heights(record, direction).items())
            print(f"lmax {record['lmax']:5} accuracy {record['accuracy']:.0e} {direction:9} {cells} ns (count)")


if __name__ == "__main__":
    main()

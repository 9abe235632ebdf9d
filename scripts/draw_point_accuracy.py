#!/usr/bin/env python3
"""Draws achieved against asked accuracy of values at points, with ducc0.sht.synthesis_general, for docs/lensing.md.

usage: scripts/draw_point_accuracy.py [--armilla build/bin/armilla] [--lmax 255 1023 2047] [--points 128]

Coefficients are white noise, points are uniform on the sphere, and errors are relative rms of all points against direct
sums in extended precision. Armilla's values are those of a step `lens` whose displacement is zero. After figure 6 of
Belkner, Carron & Reinecke (2024). Takes ten minutes. Needs numpy, h5py, matplotlib and ducc0."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import ducc0
import h5py
import matplotlib
import numpy as np

import direct_sums

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "armilla", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
from matplotlib import pyplot  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[1]
ASKED = {"double": [10.0**-k for k in range(2, 14)], "single": [10.0**-k for k in range(2, 7)]}
COLOURS = ["#4c72b0", "#c44e52", "#55a868"]
MARKERS = {0: "o", 2: "s"}


def best(lmax, precision):
    """The least accuracy that may be asked for."""
    return 1e-6 if precision == "single" else max(2e-13, 1e-15 * lmax)


def random_alm(lmax, spin, random):
    size = (lmax + 1) * (lmax + 2) // 2
    alm = random.normal(size=(2 if spin else 1, size)) + 1j * random.normal(size=(2 if spin else 1, size))
    alm[:, :lmax + 1] = alm[:, :lmax + 1].real
    start = 0
    for m in range(min(spin, lmax + 1)):
        alm[:, start:start + spin - m] = 0
        start += lmax + 1 - m
    return alm


def write_alm(path, alm, lmax, names):
    with h5py.File(path, "w") as file:
        file.create_dataset("alm", data=alm).attrs.update({"LMAX": lmax, "MMAX": lmax, "FIELDS": names})


def armilla_values(armilla, folder, spin, accuracies, precision):
    """[accuracy]{[component][point]} of alm.h5 at the pixels of rings.h5."""
    names = {0: ["T"], 2: ["E", "B"]}[spin]
    kind = {"fields": names} if spin == 0 else {"spin": spin}
    job = {"version": 1, "inputs": {"a": {"alm": "alm.h5", **kind}, "d": {"alm": "zero.h5", "spin": 1}},
           "steps": [{"lens": {"alm": "a", "deflection": "d", "grid": {"rings": {"file": "rings.h5"}}, "accuracy": eps,
                               "out": f"v{k}"}} for k, eps in enumerate(accuracies)],
           "outputs": {f"v{k}": {"file": f"v{k}.h5"} for k in range(len(accuracies))},
           "execution": {"precision": precision}}
    (folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
    subprocess.run([armilla, "run", "--quiet", "job.yaml"], check=True, cwd=folder)
    for k in range(len(accuracies)):
        with h5py.File(folder / f"v{k}.h5") as file:
            yield file["map"][:]


def relative_rms(found, truth):
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--armilla", default=SOURCE / "build" / "bin" / "armilla", type=pathlib.Path)
    parser.add_argument("--lmax", default=[255, 1023, 2047], type=int, nargs="+")
    parser.add_argument("--points", default=128, type=int)
    parser.add_argument("--output", default=SOURCE / "docs" / "pictures" / "point_accuracy.svg", type=pathlib.Path)
    options = parser.parse_args()
    armilla = options.armilla.resolve()
    random = np.random.default_rng(6)
    theta = np.sort(np.arccos(random.uniform(-1, 1, options.points)))
    phi = random.uniform(0, 2 * np.pi, options.points)
    loc = np.stack([theta, phi], axis=1)
    figure, panels = pyplot.subplots(1, 2, figsize=(9, 4.2), width_ratios=[12, 6])
    panels = dict(zip(ASKED, panels))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with h5py.File(folder / "rings.h5", "w") as file:
            grid = file.create_group("grid")
            grid["theta"], grid["phi0"], grid["nphi"] = theta, phi, np.ones(theta.size, dtype=int)
        for colour, lmax in zip(COLOURS, options.lmax):
            for spin, marker in MARKERS.items():
                alm = random_alm(lmax, spin, random)
                write_alm(folder / "alm.h5", alm, lmax, ["T"] if spin == 0 else ["E", "B"])
                write_alm(folder / "zero.h5", np.zeros((2, 6), dtype=complex), 2, ["E", "B"])
                truth = direct_sums.values_at(alm, lmax, spin, theta, phi)
                for precision, panel in panels.items():
                    asked = [eps for eps in ASKED[precision] if eps >= best(lmax, precision)]
                    if best(lmax, precision) not in asked:
                        asked.append(best(lmax, precision))
                    own = [relative_rms(v, truth) for v in armilla_values(armilla, folder, spin, asked, precision)]
                    kind = np.complex64 if precision == "single" else complex
                    peer = [relative_rms(ducc0.sht.synthesis_general(alm=alm.astype(kind), lmax=lmax, spin=spin, loc=loc,
                                                                     epsilon=eps), truth) for eps in asked]
                    label = f"lmax {lmax}, spin {spin}"
                    panel.loglog(asked, own, marker + "-", ms=3.5, lw=1, color=colour, label=label)
                    panel.loglog(asked, peer, marker + ":", ms=4, lw=0.6, mfc="none", color=colour)
                    print(f"{label}, {precision}\n  asked   " + " ".join(f"{x:8.1e}" for x in asked) + "\n  armilla "
                          + " ".join(f"{x:8.1e}" for x in own) + "\n  ducc0   " + " ".join(f"{x:8.1e}" for x in peer),
                          flush=True)
    for precision, panel in panels.items():
        ends = np.array([max(ASKED[precision]), min(ASKED[precision])])
        panel.loglog(ends, ends, color="#888888", lw=1)
        panel.set(xlabel="accuracy asked", ylabel="error", title=f"{precision} precision")
        panel.invert_xaxis()
    panels["double"].legend(title="filled: Armilla, hollow: ducc0")
    figure.tight_layout()
    figure.savefig(options.output, metadata={"Date": None})


if __name__ == "__main__":
    main()

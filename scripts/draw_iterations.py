#!/usr/bin/env python3
"""Draws how iterated analyses converge on HEALPix.

usage: scripts/draw_iterations.py [--armilla build/bin/armilla] [--nside 128] [--folder docs/pictures]

FOLDER/iterations.svg: residual of white noise after Jacobi and immediate iterations, as in figures 3 and 4 of Tian, Li &
Liu (2022). FOLDER/convergence.svg: error of the coefficients of a band-limited map against the number of transforms, for
jacobi, immediate and cg. Needs numpy and h5py."""
import argparse
import json
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[1]
METHODS = {"jacobi": "#c44e52", "immediate": "#4c72b0", "cg": "#55a868"}
ITERATIONS = range(11)
FIXED = 3  # iterations of the second picture
WIDTH, HEIGHT, GAP = 330, 240, 70


def left_of_map(armilla, nside, runs):
    """Rms of what (method, iterations, lmax) leave of a map of white noise, over that of the map."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        noise = np.random.default_rng(2022).normal(size=(1, 12 * nside**2))
        with h5py.File(folder / "noise.h5", "w") as file:
            data = file.create_dataset("map", data=noise)
            data.attrs.update({"NSIDE": nside, "ORDERING": "RING", "FIELDS": ["T"]})
        left = []
        for method, iterations, lmax in runs:
            job = {"version": 1, "inputs": {"noise": {"map": "noise.h5"}},
                   "steps": [{"analysis": {"map": "noise", "lmax": lmax, "method": {method: {"iterations": iterations}},
                                           "out": "alm"}},
                             {"synthesis": {"alm": "alm", "grid": {"healpix": {"nside": nside}}, "out": "back"}}],
                   "outputs": {"back": {"file": "back.h5"}}}
            (folder / "job.yaml").write_text(json.dumps(job))  # JSON is YAML
            subprocess.run([armilla, "run", "--quiet", folder / "job.yaml"], check=True)
            with h5py.File(folder / "back.h5") as file:
                left.append(float(np.std(noise - file["map"][:]) / np.std(noise)))
        return left


def errors_of_coefficients(armilla, nside, lmax):
    """{method: [(transforms, log10 of the relative rms error of the coefficients of a map with this band limit)]}."""
    lines = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "white.dat").write_text("\n".join(["# L TT", *(f"{l} 1" for l in range(lmax + 1))]))
        for method in METHODS:
            for iterations in ITERATIONS:
                how = {"iterations": iterations}
                if method == "cg":
                    how = {"max_iterations": iterations + 1, "tolerance": 1e-13, "allow_unconverged": True}
                job = {"version": 1,
                       "steps": [{"random_alm": {"spectrum": "white.dat", "spectrum_kind": "cl", "fields": ["T"],
                                                 "lmax": lmax, "seed": 2022, "out": "alm"}},
                                 {"synthesis": {"alm": "alm", "grid": {"healpix": {"nside": nside}}, "out": "map"}},
                                 {"analysis": {"map": "map", "lmax": lmax, "method": {method: how}, "out": "back"}}],
                       "outputs": {"alm": {"file": "alm.h5"}, "back": {"file": "back.h5"}}}
                (folder / "job.yaml").write_text(json.dumps(job))
                subprocess.run([armilla, "run", "--quiet", folder / "job.yaml"], check=True)
                with h5py.File(folder / "alm.h5") as alm, h5py.File(folder / "back.h5") as back:
                    exact, found = alm["alm"][:], back["alm"][:]
                # cg computes the right-hand side, then one synthesis and one adjoint per iteration.
                transforms = 1 + 2 * (iterations + 1 if method == "cg" else iterations)
                error = np.sqrt(np.sum(abs(found - exact) ** 2) / np.sum(abs(exact) ** 2))
                lines.setdefault(method, []).append((transforms, float(np.log10(error))))
    return lines


def panel(x0, title, x_label, ticks, lines, y_label="{:.3f}"):
    """One diagram: lines {method: [(x, y)]}. y_label formats the numbers beside the y axis."""
    points = [point for line in lines.values() for point in line]
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    least, most = min(y for _, y in points), max(y for _, y in points)
    bottom, top = least - 0.1 * (most - least), most + 0.1 * (most - least)
    step = min((s for s in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1) if (top - bottom) / s <= 8), default=2)

    def place(x, y):
        return x0 + WIDTH * (x - first) / (last - first), 40 + HEIGHT * (top - y) / (top - bottom)

    parts = [f'<text x="{x0 + WIDTH / 2:.0f}" y="24" text-anchor="middle">{title}</text>',
             f'<rect x="{x0}" y="40" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>',
             f'<text x="{x0 + WIDTH / 2:.0f}" y="{40 + HEIGHT + 38}" text-anchor="middle">{x_label}</text>']
    for tick in ticks:
        x, y = place(tick, bottom)
        parts.append(f'<path d="M{x:.1f} {y:.1f}v5" stroke="#888"/><text x="{x:.1f}" y="{y + 18:.1f}" '
                     f'text-anchor="middle">{tick}</text>')
    for tick in np.arange(np.ceil(bottom / step), np.floor(top / step) + 1) * step:
        x, y = place(first, tick)
        parts.append(f'<path d="M{x:.1f} {y:.1f}h-5" stroke="#888"/><text x="{x - 8:.1f}" y="{y + 4:.1f}" '
                     f'text-anchor="end">{y_label.format(tick)}</text>')
    for number, (method, line) in enumerate(lines.items()):
        path = " ".join(f"{'L' if i else 'M'}{x:.1f} {y:.1f}" for i, (x, y) in enumerate(place(*p) for p in line))
        parts.append(f'<path d="{path}" fill="none" stroke="{METHODS[method]}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{METHODS[method]}"/>'
                  for x, y in (place(*p) for p in line)]
        y = 40 + HEIGHT - 12 - 16 * (len(lines) - 1 - number)
        parts.append(f'<text x="{x0 + 12}" y="{y}" fill="{METHODS[method]}">{method}</text>')
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--armilla", default=SOURCE / "build" / "bin" / "armilla", type=pathlib.Path)
    parser.add_argument("--nside", default=128, type=int)
    parser.add_argument("--folder", default=SOURCE / "docs" / "pictures", type=pathlib.Path)
    options = parser.parse_args()
    armilla, nside = options.armilla.resolve(), options.nside
    most = 3 * nside - 1
    degrees = [nside, 3 * nside // 2, 2 * nside, 9 * nside // 4, 5 * nside // 2, 11 * nside // 4, most]
    of_noise = ("jacobi", "immediate")
    rounds = {m: list(zip(ITERATIONS, left_of_map(armilla, nside, [(m, i, most) for i in ITERATIONS]))) for m in of_noise}
    lmaxes = {m: list(zip(degrees, left_of_map(armilla, nside, [(m, FIXED, l) for l in degrees]))) for m in of_noise}
    for method in of_noise:
        print(f"{method:<10} lmax {most}: " + " ".join(f"{y:.4f}" for _, y in rounds[method]))
        print(f"{method:<10} {FIXED} iterations: " + " ".join(f"{x}: {y:.4f}" for x, y in lmaxes[method]))
    write_picture(options.folder / "iterations.svg",
                  panel(GAP - 10, f"lmax = {most}, nside {nside}", "iterations", list(ITERATIONS)[::2], rounds)
                  + panel(2 * GAP + WIDTH - 10, f"{FIXED} iterations, nside {nside}", "lmax", degrees[::2], lmaxes))
    parts = []
    for number, lmax in enumerate((2 * nside, 5 * nside // 2)):
        lines = errors_of_coefficients(armilla, nside, lmax)
        for method, line in lines.items():
            print(f"{method:<10} lmax {lmax}: " + " ".join(f"{x}: {10**y:.1e}" for x, y in line))
        parts += panel(GAP - 10 + number * (GAP + WIDTH), f"relative error, lmax = {lmax}, nside {nside}", "transforms",
                       range(1, 24, 4), lines, "1e{:.0f}")
    write_picture(options.folder / "convergence.svg", parts)


def write_picture(path, parts):
    width = 2 * (WIDTH + GAP) + 20
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 100}" font-family="sans-serif" '
            f'font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    path.write_text("\n".join([*head, *parts, "</svg>", ""]))


if __name__ == "__main__":
    main()

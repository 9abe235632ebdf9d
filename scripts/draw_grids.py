#!/usr/bin/env python3
"""Draws the rings of grids on a sphere, one SVG each, for docs/job_reference.md.

usage: scripts/draw_grids.py [--armilla build/bin/armilla] [--output docs/pictures]

`armilla` makes a small map on each grid; the rings are those that it writes to the file. Needs numpy and h5py."""
import argparse
import pathlib
import subprocess
import tempfile

import h5py
import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[1]
PICTURES = {
    "healpix": "{healpix: {nside: 6}}",
    "gauss": "{gauss: {nlat: 20, nphi: 40}}",
    "reduced_gauss": "{reduced_gauss: {nlat: 64, spin: 1}}",
    "octahedral": "{octahedral: {nlat: 24}}",
    "equiangular_cc": "{equiangular: {rule: cc, nlat: 19, nphi: 36}}",
    "equiangular_f1": "{equiangular: {rule: f1, nlat: 18, nphi: 36}}",
    "equiangular_f2": "{equiangular: {rule: f2, nlat: 17, nphi: 36}}",
    "equiangular_mw": "{equiangular: {rule: mw, nlat: 18, nphi: 35}}",
    "equiangular_mwflip": "{equiangular: {rule: mwflip, nlat: 18, nphi: 35}}",
    "equiangular_dh": "{equiangular: {rule: dh, nlat: 18, nphi: 36}}",
    "part_of_the_sky": "{healpix: {nside: 8, theta_deg: [40, 75]}}",
    "rings": "{rings: {file: %s}}" % (SOURCE / "config" / "grids" / "mercator.h5"),
}
SIZE = 240  # of a picture
UNIT = 4  # of coordinates per pixel of the picture: whole numbers are enough then
RADIUS = 110 * UNIT
TILT = np.radians(35)  # of the northern pole towards the reader


def healpix_rings(nside):
    """theta, phi0, nphi of all rings (Gorski et al. 2005): HEALPix files name nside alone."""
    number = np.arange(1, 4 * nside)
    from_pole = np.minimum(number, 4 * nside - number)
    cap = from_pole < nside
    z = np.where(cap, 1 - from_pole**2 / (3 * nside**2), (4 - 2 * from_pole / nside) / 3)
    z = np.where(number > 2 * nside, -z, z)
    nphi = 4 * np.minimum(from_pole, nside)
    shifted = cap | ((from_pole - nside) % 2 == 0)
    return np.arccos(z), np.where(shifted, np.pi / nphi, 0), nphi


def rings_of(armilla, grid):
    """theta, phi0, nphi of the rings, as the program writes them."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "cl.dat").write_text("# L TT\n0 1\n1 1\n")
        (folder / "job.yaml").write_text(
            "version: 1\nsteps:\n"
            "  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [T], lmax: 1, out: a}\n"
            f"  - synthesis: {{alm: a, grid: {grid}, out: m}}\n"
            "outputs:\n  m: {file: m.h5}\n")
        subprocess.run([armilla, "run", "--quiet", folder / "job.yaml"], check=True)
        with h5py.File(folder / "m.h5") as file:
            if "grid" not in file:
                return healpix_rings(int(file["map"].attrs["NSIDE"]))
            return tuple(file["grid"][key][:] for key in ("theta", "phi0", "nphi"))


def on_picture(theta, phi):
    """x to the right, y down, depth towards the reader, of places on a sphere seen from infinity."""
    x, y, z = np.sin(theta) * np.sin(phi), np.sin(theta) * np.cos(phi), np.cos(theta)
    up, depth = z * np.cos(TILT) - y * np.sin(TILT), z * np.sin(TILT) + y * np.cos(TILT)
    centre = SIZE * UNIT / 2
    return np.rint(centre + RADIUS * x).astype(int), np.rint(centre - RADIUS * up).astype(int), depth > 0


def path(x, y, visible, joint):
    """SVG path through the visible places: `l` draws from one to the next, `m` leaves a dot at each."""
    words, last = [], None
    for a, b, seen in zip(x, y, visible):
        if seen:
            move = f"M{a} {b}" if last is None else f"{joint}{a - last[0]} {b - last[1]}"
            words.append(move.replace(" -", "-") + ("h0" if joint == "m" else ""))
        # A gap breaks lines, dots go on from the last one.
        last = (a, b) if seen else last if joint == "m" else None
    return "".join(words)


def draw(rings):
    dots = "".join(path(*on_picture(theta, phi0 + 2 * np.pi * np.arange(nphi) / nphi), "m")
                   for theta, phi0, nphi in zip(*rings))
    # Lines of every ring would be a grey disc where there are many.
    step = max(1, len(rings[0]) // 24)
    lines = "".join(path(*on_picture(theta, np.linspace(0, 2 * np.pi, 61)), "l") for theta in rings[0][::step])
    count = dots.count("h0")
    width = UNIT * (4.0 if count < 500 else 2.6 if count < 1500 else 1.6)
    box = SIZE * UNIT
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" viewBox="0 0 {box} {box}">\n'
            f'<circle cx="{box // 2}" cy="{box // 2}" r="{RADIUS}" fill="#f4f6f8" stroke="#8a94a0" stroke-width="4"/>\n'
            f'<path d="{lines}" fill="none" stroke="#c3ccd6" stroke-width="3"/>\n'
            f'<path d="{dots}" fill="none" stroke="#1d4e89" stroke-width="{width:.0f}" stroke-linecap="round"/>\n'
            "</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--armilla", default=SOURCE / "build" / "bin" / "armilla")
    parser.add_argument("--output", type=pathlib.Path, default=SOURCE / "docs" / "pictures")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, grid in PICTURES.items():
        (arguments.output / f"grid_{name}.svg").write_text(draw(rings_of(arguments.armilla, grid)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times `armilla run` of a leakage campaign against perf/leakage_healpy.py on the same files, alternating, and compares
their maps.

Example: OMP_NUM_THREADS=2 perf/leakage.py --armilla build/bin/armilla --nside 256 --maps 64
Needs numpy and healpy. Times are of whole programs, with reading and writing of files. For healpy, the start of the
interpreter is excluded. healpy has no iterated analysis of Q, U alone, so it also transforms a T of zeros.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import healpy
import numpy as np

HEALPY = pathlib.Path(__file__).with_name("leakage_healpy.py")
SEED = 6
# Both iterate the same scheme, so they differ by rounding only, which the iterations amplify a little.
AGREE = 1e-9


def make_files(folder, nside, maps, lmax):
    """Drawn Q, U with little B, and a mask that cuts a band and two holes."""
    np.random.seed(SEED)
    l = np.arange(lmax + 1, dtype=float)
    power = np.where(l > 1, 1 / np.maximum(l, 1) ** 2, 0)
    (folder / "sims").mkdir()
    for number in range(maps):
        e, b = (healpy.synalm(factor * power, lmax=lmax) for factor in (1.0, 1e-3))
        _, q, u = healpy.alm2map([np.zeros_like(e), e, b], nside, lmax=lmax)
        healpy.write_map(folder / f"sims/map_{number:04d}.fits", [q, u], dtype=np.float64, column_names=["Q", "U"])
    theta, _ = healpy.pix2ang(nside, np.arange(12 * nside * nside))
    mask = np.where(np.abs(np.cos(theta)) > 0.25, 1.0, 0.0)
    for vector, degrees in (((1, 0, 1), 6), ((0, 1, -1), 9)):
        mask[healpy.query_disc(nside, np.array(vector) / np.sqrt(2), np.radians(degrees))] = 0
    healpy.write_map(folder / "mask.fits", mask, dtype=np.float64, column_names=["MASK"])


def make_job(folder, maps, lmax, iterations):
    items = f"{{0000..{maps - 1:04d}}}"
    (folder / "job.yaml").write_text(f"""version: 1
inputs:
  sky: {{map: "sims/map_{items}.fits", fields: [Q, U]}}
  cut: {{map: mask.fits, fields: [MASK]}}
steps:
  - leakage: {{map: sky, mask: cut, lmax: {lmax}, method: {{jacobi: {{iterations: {iterations}}}}}, out: clean}}
outputs:
  clean: {{file: "armilla/map_{{}}.fits"}}
""")
    (folder / "armilla").mkdir()


def run_armilla(program, folder):
    start = time.perf_counter()
    subprocess.run([*program, "run", "job.yaml", "--quiet"], cwd=folder, check=True)
    return time.perf_counter() - start


def run_healpy(folder, lmax, iterations):
    maps = sorted(str(path.relative_to(folder)) for path in (folder / "sims").iterdir())
    done = subprocess.run([sys.executable, str(HEALPY), "--maps", *maps, "--mask", "mask.fits", "--lmax", str(lmax),
                           "--iterations", str(iterations), "--out", "healpy"], cwd=folder, check=True,
                          capture_output=True, text=True)
    return float(re.search(r"seconds ([0-9.]+)", done.stdout)[1])


def largest_difference(folder):
    """Relative rms over all maps, the largest."""
    worst = 0
    for path in sorted((folder / "healpy").iterdir()):
        reference = healpy.read_map(path, dtype=np.float64)
        found = healpy.read_map(folder / "armilla" / path.name, dtype=np.float64)
        worst = max(worst, np.sqrt(np.mean((found - reference) ** 2) / np.mean(reference ** 2)))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--armilla", required=True, help="the program, optionally preceded by mpirun and its options")
    parser.add_argument("--nside", type=int, default=256)
    parser.add_argument("--lmax", type=int, help="default: 2 nside")
    parser.add_argument("--maps", type=int, default=64)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3, help="repetitions of both, alternating")
    parser.add_argument("--folder", help="folder for the files, about 14 nside^2 times 24 bytes per map")
    arguments = parser.parse_args()
    lmax = arguments.lmax or 2 * arguments.nside
    program = [str(pathlib.Path(word).resolve()) if pathlib.Path(word).exists() else word
               for word in arguments.armilla.split()]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        make_files(folder, arguments.nside, arguments.maps, lmax)
        make_job(folder, arguments.maps, lmax, arguments.iterations)
        times = {"armilla": [], "healpy": []}
        for _ in range(arguments.repeats):
            times["healpy"].append(run_healpy(folder, lmax, arguments.iterations))
            times["armilla"].append(run_armilla(program, folder))
        difference = largest_difference(folder)
    for who, seconds in times.items():
        print(f"{who:8} median {statistics.median(seconds):8.3f} s, least {min(seconds):8.3f} s, per map "
              f"{statistics.median(seconds) / arguments.maps:.4f} s")
    ratio = statistics.median(times["healpy"]) / statistics.median(times["armilla"])
    print(f"nside {arguments.nside}, lmax {lmax}, {arguments.maps} maps, {arguments.iterations} iterations: armilla is "
          f"{ratio:.2f} times as fast; largest relative difference {difference:.1e}")
    if difference > AGREE:
        sys.exit("leakage.py: the maps differ")


if __name__ == "__main__":
    main()

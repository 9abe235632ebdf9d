#!/usr/bin/env python3
"""Predicts the times of transforms on one GPU from the machine code of the kernels and from operation counts.

  gpu_model.py BUILD_DIR [--cuobjdump PATH] [--kernels] [--parts] [--write | --check]

BUILD_DIR is a build for sm_90 with ARMILLA_PERF=ON. Prints the rows of docs/performance.md. --write also writes
gpu_counts.json beside this file, and the GPU report prints these predictions next to its measurements. --check compares
the Legendre kernels with those that have been measured, and prints nothing else.

Assumptions in addition to those of gpu_machine.py:
- 132 multiprocessors;
- memory at 4.8 TB/s (H200; H100: 3.35), the second-level cache at 5.5 TB/s;
- FFTs of up to 8192 numbers take one pass over the data and longer ones take two, in the second-level cache for rings
  and in memory for theta columns;
- a launch takes at least 3 us, with an overhead of 1 us."""

import argparse
import concurrent.futures
import json
import os

import gpu_legendre
import gpu_machine as machine
import gpu_stages
import sass

CLOCKS = (1.98e9, 1.755e9)

CASES = {
    "gauss_4095": ["--nlat", "4096", "--lmax", "4095"],
    "healpix_2048": ["--nside", "2048", "--lmax", "4095"],
    "healpix_2048_spin2": ["--nside", "2048", "--lmax", "4095", "--spin", "2"],
    "gauss_4095_8maps": ["--nlat", "4096", "--lmax", "4095", "--maps", "8"],
    "gauss_4095_8maps_cuda": ["--nlat", "4096", "--lmax", "4095", "--maps", "8", "--products", "cuda"],
    "healpix_128_64maps": ["--nside", "128", "--lmax", "383", "--maps", "64"],
    "gauss_8191": ["--nlat", "8192", "--lmax", "8191"],
    "gauss_255": ["--nlat", "256", "--lmax", "255"],
    "gauss_359": ["--nlat", "360", "--lmax", "359"],
    "gauss_1023": ["--nlat", "1024", "--lmax", "1023"],
    "gauss_179_8maps": ["--nlat", "180", "--lmax", "179", "--maps", "8"],
    "gauss_1023_spin1": ["--nlat", "1024", "--lmax", "1023", "--spin", "1"],
    "gauss_4095_spin1": ["--nlat", "4096", "--lmax", "4095", "--spin", "1"],
    "gauss_8191_spin1": ["--nlat", "8192", "--lmax", "8191", "--spin", "1"],
    "iteration_128_256maps": ["--nside", "128", "--lmax", "383", "--maps", "256"],
    "iteration_128_256maps_ranges": ["--nside", "128", "--lmax", "383", "--maps", "256", "--immediate"],
}

# For MEASURED alone.
CHECKED_CASES = {"gauss_4095_2pairs": CASES["gauss_4095"] + ["--pairs", "2"]}
# Case, direction, milliseconds of its Legendre kernels at 1.98 GHz: by Nsight Compute, or those of the stage less an
# estimate of everything else. Measured with the kernels of 26 November 2026.
MEASURED = [
    ("gauss_4095", "synthesis", 4.42),
    ("gauss_4095_2pairs", "synthesis", 4.74),
    ("gauss_4095", "adjoint", 5.99),
    ("gauss_4095_2pairs", "adjoint", 7.2),
    ("gauss_4095_8maps", "synthesis", 17.3),
    ("gauss_4095_8maps", "adjoint", 23.0),
]

# Row, case, its stages, divisor of its time.
ROWS = [
    ("gauss_4095_legendre_synthesis", "gauss_4095", ["legendre_synthesis"], 1),
    ("gauss_4095_legendre_adjoint", "gauss_4095", ["legendre_adjoint"], 1),
    ("gauss_4095_synthesis", "gauss_4095", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_4095_analysis", "gauss_4095", ["legendre_adjoint", "rings_adjoint"], 1),
    ("healpix_2048_synthesis", "healpix_2048", ["legendre_synthesis", "rings_synthesis"], 1),
    ("healpix_2048_analysis", "healpix_2048", ["legendre_adjoint", "rings_adjoint"], 1),
    ("healpix_2048_spin2_synthesis", "healpix_2048_spin2", ["legendre_synthesis", "rings_synthesis"], 1),
    ("healpix_2048_spin2_analysis", "healpix_2048_spin2", ["legendre_adjoint", "rings_adjoint"], 1),
    ("gauss_4095_8maps_legendre_synthesis", "gauss_4095_8maps", ["legendre_synthesis"], 8),
    ("gauss_4095_8maps_legendre_adjoint", "gauss_4095_8maps", ["legendre_adjoint"], 8),
    ("gauss_4095_8maps_cuda_legendre_synthesis", "gauss_4095_8maps_cuda", ["legendre_synthesis"], 8),
    ("gauss_4095_8maps_cuda_legendre_adjoint", "gauss_4095_8maps_cuda", ["legendre_adjoint"], 8),
    ("healpix_128_64maps_synthesis", "healpix_128_64maps", ["legendre_synthesis", "rings_synthesis"], 64),
    ("healpix_128_64maps_analysis", "healpix_128_64maps", ["legendre_adjoint", "rings_adjoint"], 64),
    ("gauss_8191_synthesis", "gauss_8191", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_8191_analysis", "gauss_8191", ["legendre_adjoint", "rings_adjoint"], 1),
    ("gauss_255_synthesis", "gauss_255", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_255_analysis", "gauss_255", ["legendre_adjoint", "rings_adjoint"], 1),
    ("gauss_1023_synthesis", "gauss_1023", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_1023_analysis", "gauss_1023", ["legendre_adjoint", "rings_adjoint"], 1),
    ("gauss_179_8maps_synthesis", "gauss_179_8maps", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_179_8maps_analysis", "gauss_179_8maps", ["legendre_adjoint", "rings_adjoint"], 1),
    ("gauss_359_synthesis", "gauss_359", ["legendre_synthesis", "rings_synthesis"], 1),
    ("gauss_359_analysis", "gauss_359", ["legendre_adjoint", "rings_adjoint"], 1),
    ("iteration_128_256maps_jacobi", "iteration_128_256maps", ["jacobi"], 256 * 4),
    ("iteration_128_256maps_immediate", "iteration_128_256maps", ["immediate"], 256 * 4),
]
for name in ("gauss_255", "gauss_1023", "gauss_179_8maps", "gauss_359", "gauss_1023_spin1", "gauss_4095_spin1",
             "gauss_8191_spin1"):
    ROWS += [
        (name + "_synthesis", name, ["legendre_synthesis", "rings_synthesis"], 1),
        (name + "_analysis", name, ["legendre_adjoint", "rings_adjoint"], 1),
    ]


class Model:
    """Parts of all stages, [(name, seconds, bound)], for a given clock and memory bandwidth."""

    def __init__(self, kernels, counts):
        self.counts = counts
        self.legendre = gpu_legendre.Legendre(kernels)
        self.stages = gpu_stages.Stages(kernels)
        self.cycles = {}

    def legendre_cycles(self, case, direction):
        """Results of all Legendre launches of a direction. They do not depend on the clock."""
        key = (case, direction)
        if key not in self.cycles:
            self.cycles[key] = [self.legendre.launch(one) for one in self.counts[case][direction]]
        return self.cycles[key]

    def wigner_cycles(self, case, direction):
        key = (case, "wigner", direction)
        if key not in self.cycles:
            counts = self.counts[case]
            maps = counts["fields"] // counts["components"]
            blocks = counts["wigner"]["blocks"]
            self.cycles[key] = self.legendre.wigner(direction, counts["components"] == 2, blocks, maps)
        return self.cycles[key]

    def parts(self, case, stage, clock, memory):
        counts = self.counts[case]
        machine = gpu_stages.Machine(clock, memory)
        if stage.startswith("rings_"):
            return self.stages.rings(counts, stage == "rings_adjoint", machine)
        if stage.startswith("legendre_"):
            direction = stage[len("legendre_") :]
            launches = self.legendre_cycles(case, direction)
            parts = self.stages.legendre(counts, direction, launches, machine)
            if counts["wigner"]["blocks"]:
                parts += self.stages.wigner(self.wigner_cycles(case, direction), machine)
            return parts + (self.stages.theta(counts, direction == "adjoint", machine) if "theta" in counts else [])
        # The first analysis, then three rounds in ring modes.
        first = self.parts(case, "rings_adjoint", clock, memory)
        whole = [self.parts(case, "legendre_" + one, clock, memory) for one in ("adjoint", "synthesis")]
        if stage == "jacobi":
            return first + 4 * whole[0] + 3 * (whole[1] + self.stages.ring_modes(counts, 3, 1, machine))
        ranged = case + "_ranges"
        some = [self.parts(ranged, "legendre_" + one, clock, memory) for one in ("adjoint", "synthesis")]
        ranges = counts["independent_ranges"]
        return first + whole[0] + 3 * (some[0] + some[1] + self.stages.ring_modes(counts, 3, ranges, machine))

    def row(self, case, stages, divisor, clock, memory):
        parts = [part for stage in stages for part in self.parts(case, stage, clock, memory)]
        totals = {}
        for name, seconds, bound in parts:
            totals[name, bound] = totals.get((name, bound), 0.0) + seconds
        largest = max(totals, key=totals.get)
        return 1e3 * sum(totals.values()) / divisor, "%s: %s" % largest, totals

    def check_lines(self):
        """Measured and predicted times of the Legendre kernels."""
        yield "| case | direction | measured | model | ratio |"
        yield "|---|---|---|---|---|"
        for case, direction, measured in MEASURED:
            model = 1e3 * sum(launch["cycles"] for launch in self.legendre_cycles(case, direction)) / CLOCKS[0]
            yield "| %s | %s | %.3g | %.3g | %.2f |" % (case, direction, measured, model, measured / model)

    def kernel_lines(self):
        """The Legendre kernels of all rows: cycles per step, including the overhead of a tile of steps."""
        yield "| kernel | registers | blocks, warps | FP64 | issue | shared memory | all warps | one warp |"
        yield "|---|---|---|---|---|---|---|---|"
        for case in CASES:
            for direction in ("synthesis", "adjoint"):
                self.legendre_cycles(case, direction)
        for (name, threads), code in sorted(self.legendre.codes.items()):
            step = code.forms[0].all
            yield "| `%s` | %d | %d, %d | %.0f | %.0f | %.0f | %.0f | %.0f |" % (
                (name, code.kernel.registers, code.resident, code.resident * threads // 32)
                + tuple(step.pipes[pipe] for pipe in gpu_legendre.PIPES)
                + (step.busy, step.alone)
            )

    def pass_lines(self):
        """The other kernels of these rows: instructions of a thread on its longest path."""
        yield "| kernel | registers | warps | instructions | busiest pipe | cycles |"
        yield "|---|---|---|---|---|---|"
        for name in gpu_stages.NAMES:
            kernel, cycles = self.stages.kernel(name), self.stages.pipes(name)
            pipe = max(cycles, key=cycles.get)
            resident = machine.resident_blocks(kernel.registers, kernel.shared, kernel.threads)
            yield "| %s | %d | %d | %d | %s | %d |" % (
                name, kernel.registers, resident * kernel.threads // 32, cycles["issue"], pipe, cycles[pipe]
            )


def read_counts(program, cases):
    """Counts of these cases, computed by two processes at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        texts = pool.map(lambda words: sass.output_of(program, *words), cases.values())
        return {case: json.loads(text) for case, text in zip(cases, texts)}


def main():
    parser = argparse.ArgumentParser(description="Predicts times on a GPU from machine code and operation counts.")
    parser.add_argument("build", help="a build for sm_90 with ARMILLA_PERF=ON")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", action="store_true", help="write gpu_counts.json beside this file")
    action.add_argument("--check", action="store_true", help="compare with measured kernels")
    parser.add_argument("--kernels", action="store_true", help="print the tables of kernels")
    parser.add_argument("--parts", action="store_true", help="print the parts of each row")
    options = parser.parse_args()
    library = os.path.join(options.build, "kernels", "libarmilla_kernels.a")
    kernels = sass.read_kernels(options.cuobjdump, library, "sm_90")
    cases = CASES
    if options.check:
        every = {**CASES, **CHECKED_CASES}
        cases = {case: every[case] for case, _, _ in MEASURED}
    model = Model(kernels, read_counts(os.path.join(options.build, "perf", "perf_gpu_counts"), cases))
    if options.check:
        print("\n".join(model.check_lines()))
        return
    rows = {}
    print("| row | H200, 1.98 GHz | 1.755 GHz | H100, 1.98 GHz | bound |\n|---|---|---|---|---|")
    for row, case, stages, divisor in ROWS:
        fast, bound, totals = model.row(case, stages, divisor, CLOCKS[0], 4.8e12)
        slow = model.row(case, stages, divisor, CLOCKS[1], 4.8e12)[0]
        h100 = model.row(case, stages, divisor, CLOCKS[0], 3.35e12)[0]
        rows[row] = {
            "predicted_ms": float("%.3g" % fast),
            "predicted_ms_1755": float("%.3g" % slow),
            "bound": bound,
        }
        print("| `%s` | %.3g | %.3g | %.3g | %s |" % (row, fast, slow, h100, bound), flush=True)
        if options.parts:
            for (name, limit), seconds in sorted(totals.items(), key=lambda item: -item[1]):
                print("    %8.4f ms  %s: %s" % (1e3 * seconds / divisor, name, limit))
    if options.kernels:
        print("\n" + "\n".join([*model.kernel_lines(), "", *model.pass_lines()]))
    if options.write:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gpu_counts.json")
        with open(path, "w") as file:
            json.dump(rows, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()

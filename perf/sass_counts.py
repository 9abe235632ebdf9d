#!/usr/bin/env python3
"""Counts the instructions of the GPU kernels of a build, loop by loop, from their machine code (SASS).

  sass_counts.py FILE... [--cuobjdump PATH] [--only REGEX] [--json PATH] [--all]

FILE is kernels/libarmilla_kernels.a of a build for sm_90, or object files. Prints the registers, shared memory and
occupancy of each kernel and, for its loops with FP64, FP32 or tensor arithmetic, the instructions of one pass: all of
them, by kind, and the cycles that the busiest pipe needs (gpu_machine.py). --all: all loops. --json: everything, with
instructions by name. At the end it lists kernels with loads and stores of local memory: registers that were spilled, or
arrays that have no place in registers."""

import argparse
import json
import re

import gpu_machine as machine
import sass

COLUMNS = ("fp64", "tensor", "fp32", "shared", "shuffle", "global", "barrier", "convert", "other")


def local_accesses(code):
    return sum(one.base in ("LDL", "STL") for one in code)


def loops_of(kernel):
    """Each loop with its instructions outside the loops in it, and the longest way through one pass of these."""
    for loop in kernel.all_loops():
        way = machine.longest_path(kernel, loop, len, lambda inner: 0)
        counts = sass.Counts(way)
        yield {
            "address": loop.head,
            "depth": loop.depth,
            "inner": len(loop.inner),
            "code": sass.Counts(kernel.own_code(loop)).issue,
            "cycles": machine.pipe_cycles(way),
            **counts.as_dict(),
        }


def record_of(kernel):
    resident = machine.resident_blocks(kernel.registers, kernel.shared, max(32, kernel.threads))
    return {
        "kernel": kernel.name,
        "registers": kernel.registers,
        "shared_bytes": kernel.shared,
        "stack_bytes": kernel.stack,
        "local_accesses": local_accesses(kernel.instructions),
        "local_accesses_in_loops": sum(local_accesses(kernel.code(loop)) for loop in kernel.loops),
        "threads": kernel.threads,
        "blocks_per_multiprocessor": resident,
        "warps_per_multiprocessor": resident * ((kernel.threads + 31) // 32),
        "instructions": len(kernel.instructions),
        "loops": list(loops_of(kernel)),
    }


def has_arithmetic(loop):
    return loop.get("fp64", 0) + loop.get("fp32", 0) + loop.get("tensor", 0) > 0


def print_record(record, everything):
    print(
        "%(kernel)s\n  %(registers)d registers, %(shared_bytes)d bytes of shared memory before what a launch adds, "
        "%(threads)d threads: %(blocks_per_multiprocessor)d blocks, %(warps_per_multiprocessor)d "
        "warps of 64; %(instructions)d instructions" % record
    )
    loops = [loop for loop in record["loops"] if everything or has_arithmetic(loop)]
    if not loops:
        return
    print("  %-12s %6s %6s  %s  busiest pipe" % ("loop", "code", "issue", " ".join("%7s" % name for name in COLUMNS)))
    for loop in loops:
        pipe = max(loop["cycles"], key=loop["cycles"].get)
        print(
            "  %-12s %6d %6d  %s  %s %d"
            % (
                "  " * (loop["depth"] - 1) + "%x" % loop["address"],
                loop["code"],
                loop["issue"],
                " ".join("%7d" % loop.get(name, 0) for name in COLUMNS),
                pipe,
                loop["cycles"][pipe],
            )
        )


def main():
    parser = argparse.ArgumentParser(description="Counts instructions of GPU kernels, loop by loop.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="library or object files of a build")
    parser.add_argument("--cuobjdump", default="cuobjdump")
    parser.add_argument("--architecture", default="sm_90")
    parser.add_argument("--only", default="", help="regular expression: only kernels with matching names")
    parser.add_argument("--json", metavar="PATH", help="write all counts to this file")
    parser.add_argument("--all", action="store_true", help="also show loops without floating-point arithmetic")
    options = parser.parse_args()
    records = []
    for path in options.files:
        for kernel in sass.read_kernels(options.cuobjdump, path, options.architecture):
            if re.search(options.only, kernel.name):
                records.append(record_of(kernel))
                print_record(records[-1], options.all)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(records, file, indent=1)
            file.write("\n")
    print("%d kernels; with loads and stores of local memory:" % len(records))
    for record in records:
        if record["local_accesses"]:
            print("  %(kernel)s: %(local_accesses)d, %(local_accesses_in_loops)d of them in loops" % record)


if __name__ == "__main__":
    main()

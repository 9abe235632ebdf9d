#!/usr/bin/env python3
"""Prints the JSON report of `armilla run` as a short table: accuracy, time per phase, files.

    scripts/report_table.py REPORT.json [FILE=DESCRIPTION ...]

Exit code 1 where a file is missing or empty, or the report holds no comparison of alm.
"""

import json
import os
import sys


def accuracy_lines(report):
    for comparison in report.get("comparisons", []):
        names = sorted(comparison["relative_rms"], key=lambda name: ("TEB".find(name), name))
        errors = "  ".join(f"{name} {comparison['relative_rms'][name]:.1e}" for name in names)
        yield f"  {comparison.get('alm', comparison.get('values'))} against {comparison['reference']}: {errors}"


def phase_lines(report):
    phases = report["phases"]
    width = max((len(phase["name"]) for phase in phases), default=5)
    yield f"  {'phase':{width}} {'min':>9} {'mean':>9} {'max':>9}"
    for phase in phases:
        yield f"  {phase['name']:{width}} {phase['min']:9.3f} {phase['mean']:9.3f} {phase['max']:9.3f}"


def short_path(path):
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


def file_lines(arguments):
    rows = [argument.partition("=") for argument in arguments]
    width = max((len(short_path(path)) for path, _, _ in rows), default=0)
    for path, _, description in rows:
        yield f"  {short_path(path):{width}}  {os.path.getsize(path) / 1e6:8.3f} MB  {description}"


def main(path, arguments):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    accuracy = list(accuracy_lines(report))
    if not accuracy:
        print(f"{path}: the run compared nothing", file=sys.stderr)
        return 1
    empty = [name for name in (a.partition("=")[0] for a in arguments)
             if not os.path.isfile(name) or os.path.getsize(name) == 0]
    if empty:
        print(f"the run left out: {', '.join(empty)}", file=sys.stderr)
        return 1
    print("\nAccuracy (relative rms error of the coefficients)", *accuracy, sep="\n")
    print("\nTime [s] over the ranks", *phase_lines(report), sep="\n")
    if arguments:
        print("\nFiles", *file_lines(arguments), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

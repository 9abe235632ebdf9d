"""Runs fault trials: python3 tests/faults --binary build/bin/armilla --count race=200 --count kill=100 --seed 1

Each trial works in a fresh folder. Prints one line per kind of trial; for a failure, its parameters and the seed that
repeats it. Exit code 1 where a trial failed, or all trials of a kind missed the run that they disturb."""
import argparse
import collections
import pathlib
import shutil
import sys
import tempfile
import time
import types

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from call_trials import Calls  # noqa: E402
from runs import Failure, References, describe, write_inputs  # noqa: E402
from trials import TRIALS  # noqa: E402


def parse_counts(texts):
    counts = dict(text.split("=") for text in texts)
    unknown = set(counts) - set(TRIALS)
    if unknown:
        raise SystemExit(f"unknown trials: {', '.join(unknown)}; known: {', '.join(TRIALS)}")
    return {name: int(count) for name, count in counts.items()}


TRIES = 8  # of a trial that misses, each at half the moment of the one before


def run_trial(name, number, root, **context):
    """None, or what failed; and the parameters."""
    for attempt in range(TRIES):
        failure, parameters = run_once(name, number, root, pace=0.5**attempt, **context)
        if failure or not parameters.get("missed"):
            break
    return failure, parameters


def run_once(name, number, root, seed, **context):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}_{number}_", dir=root))
    if name != "calls":
        write_inputs(folder)
    parameters = {}
    # A name of a trial that is added must not change what the others draw.
    rng = np.random.default_rng([seed, list(TRIALS).index(name), number])
    try:
        TRIALS[name](types.SimpleNamespace(folder=folder, number=number, seed=seed, **context), rng, parameters)
        return None, parameters
    except Failure as failure:
        return str(failure), parameters
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_calls(arguments, root):
    """What trials of calls need, or None."""
    if arguments.library is None:
        return None
    with_names = {"names": arguments.jobs and arguments.jobs.split(","), "kinds": arguments.calls and arguments.calls.split(",")}
    return Calls(str(pathlib.Path(arguments.binary).resolve()), arguments.library, root, arguments.every, **with_names)


def main():
    parser = argparse.ArgumentParser(description="Fault trials of the program armilla.")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--count", action="append", required=True, metavar="TRIAL=N",
                        help=f"how often; trials: {', '.join(TRIALS)}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=["rank", "all"], help="what `resume` kills; drawn where it is not given")
    parser.add_argument("--library", help="for `calls`: the library that makes calls fail, libarmilla_calls.so")
    parser.add_argument("--jobs", help="for `calls`: names of jobs, with commas between them; default: all")
    parser.add_argument("--calls", help="for `calls`: kinds of calls, with commas between them; default: all but those of "
                        "other libraries")
    parser.add_argument("--every", action="store_true", help="for `calls`: each call of each job fails once, in place of "
                        "drawn ones; --count calls=0 stands for all")
    parser.add_argument("--first", type=int, default=0, help="number of the first trial, to repeat one")
    arguments = parser.parse_args()
    counts = parse_counts(arguments.count)
    if "calls" in counts and arguments.library is None:
        raise SystemExit("trials of `calls` need --library")
    binary = str(pathlib.Path(arguments.binary).resolve())
    failures = 0
    with tempfile.TemporaryDirectory(prefix="armilla_faults_") as root:
        root = pathlib.Path(root)
        context = {"binary": binary, "references": References(binary, root), "target": arguments.target,
                   "seed": arguments.seed, "calls": make_calls(arguments, root)}
        if arguments.every and counts.get("calls") == 0:
            counts["calls"] = context["calls"].all_calls() - arguments.first
        for name, count in counts.items():
            start = time.monotonic()
            failed = 0
            notes = []
            for number in range(arguments.first, arguments.first + count):
                failure, parameters = run_trial(name, number, root, **context)
                notes.append(parameters)
                if failure:
                    failed += 1
                    print(f"{name} {number}: {failure}\n  {describe(parameters)}\n  repeat: --count {name}=1 "
                          f"--first {number} --seed {arguments.seed}", flush=True)
            failures += failed
            missed = sum(note.get("missed", False) for note in notes)
            if count and missed == count:
                failures += 1
                print(f"{name}: each of {count} trials missed its run {TRIES} times, so nothing was tested", flush=True)
            print(f"{name}: {count - failed} of {count} trials passed in {time.monotonic() - start:.0f} s"
                  + summary(name, notes), flush=True)
    return 1 if failures else 0


def summary(name, notes):
    """What is worth telling beside the counts."""
    parts = []
    codes = collections.Counter(note["code"] for note in notes if "code" in note)
    if codes:
        parts.append("exit codes " + ", ".join(f"{code}: {count}" for code, count in sorted(codes.items())))
    if any("missed" in note for note in notes):
        parts.append(f"{sum(note.get('missed', False) for note in notes)} missed the run")
    if name == "disk_full":
        parts.append(f"{sum(note.get('mounted', False) for note in notes)} on a small disk, the others by a limit of "
                     "file size")
    if name == "resume":
        parts.append(f"{sum(note.get('done', 0) for note in notes)} maps were done before, "
                     f"{sum(note.get('twice', 0) for note in notes)} complete ones were done twice, at most "
                     f"{max((note.get('twice', 0) for note in notes), default=0)} in a trial")
    if any("kills_at_once" in note for note in notes):
        parts.append(f"{sum(note.get('cleaned', False) for note in notes)} left no partial file, as the other ranks were asked to stop")
    if name in ("signals", "resume"):
        parts.append(f"slowest exit after {max((note.get('seconds', 0) for note in notes), default=0):.2f} s")
    return "".join("; " + part for part in parts)


if __name__ == "__main__":
    sys.exit(main())

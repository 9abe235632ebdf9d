"""gpu_report.sh: runs everything that needs a GPU, in parts."""

import argparse
import os
import re
import shutil
import signal
import sys
import tempfile

import checks
import machine
import peers
import process
import profiles
import report
import timings
import tune

CANNOT_START = 125
INTERRUPTED = 130
MOST_FAILURES = 100

SECONDS = {"check": 540, "time": 540, "deep": 540, "tune": 470, "peers": 540}  # of each part

USAGE = """parts:
  check   smoke, parity with the CPU on 1 and 3 ranks, memcheck, synccheck and racecheck on tiny cases
  time    benchmarks with SM clock and power, the rows of docs/performance.md, profiles by ncu
  deep    more of racecheck, initcheck, large tests
  tune    variants of the Legendre kernels: rates, parity, times, sanitizers, counters; writes tuning.json
  peers   the same transforms by other codes, in turns: SHTns with CUDA, torch-harmonics

Each test and each benchmark has its own time limit. Tests for which no time is left are listed as "not run".
OUT contains logs, summary.txt and results.json of each part, OUT.tar.gz all of them.
exit code: the number of failures, at most 100; 125 if it cannot start, 130 after an interrupt."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(CANNOT_START, "gpu_report: %s\n" % message)


def parse(words):
    parser = Parser(
        prog="gpu_report.sh",
        description="Runs tests and benchmarks on a GPU, or on the emulated device, and archives the output.",
        epilog=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("part", choices=list(SECONDS), metavar="PART", help=", ".join(SECONDS))
    parser.add_argument("--bin", help="folder of the programs, default: beside this script, else build")
    parser.add_argument("--out", default="gpu_report", help="output folder, default gpu_report")
    parser.add_argument("--device", choices=["gpu", "emulated"], help="default: gpu if its programs are present")
    parser.add_argument("--budget", type=float,
                        help="seconds of the whole part, for machines that limit a command; default 540, tune: 470")
    parser.add_argument("--peers", default="python3", metavar="PYTHON",
                        help="the Python that has the other codes of part peers, default python3")
    parser.add_argument("--cases", choices=["all", "quick"], help="default: all on a GPU, quick on the emulated device")
    parser.add_argument("--only", default="", help="run only tests and benchmarks whose names match this regular expression")
    return parser.parse_args(words)


class Context:
    """What the stages of a part share."""

    def __init__(self, options, programs, device, cache, home):
        self.programs = programs
        self.device = device
        self.quick = (options.cases or ("quick" if device == "emulated" else "all")) == "quick"
        self.only = re.compile(options.only)
        self.budget = process.Budget(options.budget)  # of the part, or of a phase of it
        self.names = {}  # of the tests of each program
        self.useless = set()  # (program, pattern) that match no test
        self.mpirun = machine.find_mpirun(home)
        self.environment = machine.environment(cache)
        of_part = {"tune": tune.ROWS, "peers": [name for name, _ in peers.CASES], "check": [], "deep": []}
        rows = timings.make_rows(home, of_part.get(options.part))
        self.report = report.Report(os.path.abspath(options.out), options.part, device, self.quick, rows)

    def program(self, name):
        return self.programs.find(name, self.device)

    def is_wanted(self, name):
        return self.only.search(name) is not None

    def variables(self, ranks):
        return machine.with_threads(self.environment, ranks)

    def run(self, command, log, limit):
        return process.run(command, log, limit, self.budget, self.variables(1))


def run_part(context, options):
    part = options.part
    if part == "check":
        checks.check(context)
    elif part == "deep":
        checks.deep(context)
    else:
        clocks = machine.Clocks(os.path.join(context.report.folder, "clocks.csv"))
        if not clocks.child:
            context.report.note("nvidia-smi not found: no clocks and power")
        try:
            if part == "tune":
                tune.tune(context, clocks)
            elif part == "peers":
                peers.compare(context, clocks, options.peers)
            else:
                timings.run_cases(context, clocks)
                profiles.run_profiles(context, profiles.KERNELS)
        finally:
            clocks.close()


def refuse(text):
    print("gpu_report: " + text, file=sys.stderr)
    return CANNOT_START


def interrupt(number, frame):
    process.Budget.interrupted = True


def main(words, home):
    options = parse(words)
    options.budget = options.budget or SECONDS[options.part]
    folder = options.bin or (home if machine.Programs(home).device() else os.path.join(home, "..", "build"))
    programs = machine.Programs(folder)
    device = options.device or programs.device()
    if not device:
        return refuse("no programs in %s: give their folder by --bin" % folder)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    cache = tempfile.mkdtemp(prefix="gpu_report-")
    try:
        try:
            context = Context(options, programs, device, cache, home)
        except OSError as error:
            return refuse(str(error))
        text = "device: emulated"
        if device == "gpu":
            text = "%s; cuFFT: %s" % (machine.gpu_text(), machine.cufft_folder() or "left to the loader")
        print("gpu_report: part %s, %.0f s at most, %s" % (options.part, options.budget, text), flush=True)
        if not checks.smoke(context):
            return refuse("no GPU is visible (--device emulated: the emulated programs, where they are there)")
        context.report.machine_text = text
        run_part(context, options)
        context.report.interrupted = process.Budget.interrupted
        failures = context.report.finish()
    finally:
        shutil.rmtree(cache, ignore_errors=True)
    return INTERRUPTED if process.Budget.interrupted else min(failures, MOST_FAILURES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

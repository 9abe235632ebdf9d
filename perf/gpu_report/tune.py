"""Part "tune": compares the variants of the Legendre kernels, and chooses those of jobs; and those for points."""

import concurrent.futures
import contextlib
import json
import os
import re
import statistics
import time

import checks
import decisions
import gtests
import point_variants
import process
import profiles
import timings

# Seconds of each phase. What it finds is written before the next one starts.
SECONDS = {"rates": 15, "parity": 80, "timings": 130, "points": 45, "sanitizers": 75, "profiles": 50, "rows": 75}
PROGRAM = "perf_device"
PARITY_SECONDS = 40
CASE_SECONDS = 70
QUICK_PARITY_CASES = 2  # the first grids of perf_device --parity, also for compute-sanitizer
SANITIZERS = ("memcheck", "racecheck")
PROCESSES = 4  # of compute-sanitizer at a time

# Transforms whose Legendre stage is timed with all variants, the most important first, in case the run is cut.
CASES = [
    ("gauss_4095", {"nlat": 4096, "lmax": 4095}),
    ("gauss_4095_spin2", {"nlat": 4096, "lmax": 4095, "spin": 2}),
    ("gauss_1023", {"nlat": 1024, "lmax": 1023}),
    ("gauss_4095_8maps", {"nlat": 4096, "lmax": 4095, "maps": 8}),
]
# Those that choose: in batches, jobs use tensor cores, which variants of the kernels on CUDA cores do not replace.
COUNTED = [name for name, options in CASES if "maps" not in options]
# Cases of timings.py that are repeated with the best variants: the first ten rows.
ROWS = ("gauss_4095", "healpix_2048", "healpix_2048_spin2", "gauss_4095_8maps")
COMPARED = re.compile(r"^compare (\S+) (synthesis|adjoint) ([\d.]+) [\d.]+$")


class Findings:
    """What the phases know of the variants: {name: choices}, cycles by perf_rates, {case: {variant: {direction:
    [ms]}}}, and why some must not be chosen."""

    def __init__(self):
        self.variants = {}
        self.rates = {}
        self.times = {}
        self.broken = {}

    def sound(self):
        return [name for name in self.variants if name not in self.broken]


@contextlib.contextmanager
def phase(context, name):
    """Runs a phase within its seconds, and writes the results so far."""
    whole = context.budget
    context.budget = process.Budget(min(whole.left(), SECONDS[name]))
    context.report.say("%s: %.0f s at most" % (name, context.budget.left()))
    try:
        yield
    finally:
        context.budget = whole
        context.report.save()


def status_of(end):
    if end.why == "budget":
        return "not run", end.reason()
    if end.why == "limit":
        return "hung", end.reason()
    return ("ok", "") if end.why == "exit" and end.code == 0 else ("failed", end.reason())


def list_variants(context, program, findings):
    """False, with a failure in the report, if the program does not list them."""
    log = context.report.log_path("variants")
    end = context.run([program, "--list-variants"], log, PARITY_SECONDS)
    for line in end.text.split("\n"):
        words = line.split("  ", 2)
        if len(words) == 3:
            findings.variants[words[0]] = decisions.choices_of(words[1])
    if end.code == 0 and decisions.JOBS in findings.variants:
        return True
    context.report.test("variants", PROGRAM, "--list-variants", "failed", end.reason(), log)
    return False


def measure_rates(context, clocks, findings):
    if context.device == "emulated":
        context.report.note("rates: the emulated device has none to measure")
        return
    one = next(one for one in timings.CASES if one["program"] == "perf_rates")
    values = timings.run_case(context, clocks, one)
    cycles = " [cycles]"
    findings.rates = {name[: -len(cycles)]: value for name, value in values.items() if name.endswith(cycles)}


def check_parity(context, program, findings):
    """Each variant against the CPU, and two runs bit by bit."""
    report = context.report
    for name in findings.variants:
        log = report.log_path("parity_" + name)
        if not context.is_wanted("parity " + name):
            continue
        command = [program, "--parity", "--variant", name]
        command += ["--parity-cases", str(QUICK_PARITY_CASES)] if context.quick else []
        if context.budget.left() < timings.LEAST_SECONDS:
            status, reason, seconds = "not run", context.budget.reason(), None
        else:
            end = context.run(command, log, PARITY_SECONDS)
            (status, reason), seconds = status_of(end), end.seconds
            if status == "failed" and "FAILED" in end.text:
                reason = "differs from the CPU or between two runs"
        report.test("parity", PROGRAM, name, status, reason, log, seconds)
        if status != "ok":
            findings.broken[name] = "parity: %s %s" % (status, reason)


def compare(context, clocks, program, findings):
    """Times of all sound variants, those of jobs first, in the middle and last."""
    report = context.report
    for case, options in CASES:
        log = report.log_path("compare_" + case)
        if not context.is_wanted("compare_" + case):
            continue
        if context.budget.left() < timings.LEAST_SECONDS:
            report.benchmark("compare_" + case, "not run", context.budget.reason(), log, 0.0, {}, {})
            continue
        start = time.time()
        command = [program, "--compare", "--variant", ",".join(findings.sound() or [decisions.JOBS])]
        end = context.run(command + timings.arguments(options, context.quick), log, CASE_SECONDS)
        times = findings.times.setdefault(case, {})
        for line in end.text.split("\n"):
            found = COMPARED.match(line)
            if found:
                name, direction, milliseconds = found.groups()
                times.setdefault(name, {}).setdefault(direction, []).append(float(milliseconds))
        values = {
            "%s %s" % (name, direction): statistics.median(some)
            for name, directions in times.items() for direction, some in directions.items()
        }
        status, reason = status_of(end)
        if status == "ok" and not values:
            status, reason = "failed", "its output has no times"
        report.benchmark("compare_" + case, status, reason, log, end.seconds, values, clocks.between(start, time.time()))


def write_decision(context, findings):
    """tuning.json in the folder of the part."""
    tuning = decisions.decide(findings.variants, findings.times, COUNTED, findings.broken, findings.rates)
    report = context.report
    tuning["measured"]["device"] = context.device
    tuning["measured"]["machine"] = report.machine_text
    tuning["measured"]["start"] = report.start_text()
    with open(os.path.join(report.folder, "tuning.json"), "w") as file:
        json.dump(tuning, file, indent=1)
        file.write("\n")
    report.decisions = decisions.lines_of(tuning)
    report.save()
    return tuning


def sanitize(context, program, findings):
    """memcheck and racecheck of the first grids of each variant, several processes at a time."""
    report = context.report
    tool = checks.sanitizer_command(context, SANITIZERS)
    if not tool:
        return

    def run(one):
        kind, name = one
        log = report.log_path("%s_%s" % (kind, name))
        command = tool + [kind, program, "--parity", "--parity-cases", str(QUICK_PARITY_CASES), "--variant", name]
        if context.budget.left() < gtests.LEAST_SECONDS:
            return one, "not run", context.budget.reason(), log, None
        end = context.run(command, log, PARITY_SECONDS)
        return (one,) + status_of(end) + (log, end.seconds)

    todo = [(kind, name) for kind in SANITIZERS for name in findings.sound() if context.is_wanted(kind + " " + name)]
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        for (kind, name), status, reason, log, seconds in pool.map(run, todo):
            report.test(kind, PROGRAM, name, status, reason, log, seconds)
            if status == "failed":  # one that takes too long has found nothing
                findings.broken[name] = "%s: %s" % (kind, reason)


def tune(context, clocks):
    """All phases."""
    program = context.program(PROGRAM)
    findings = Findings()
    if not program:
        context.report.test("variants", PROGRAM, "all", "failed", "the program is not there", "")
        return
    if not list_variants(context, program, findings):
        return
    with phase(context, "rates"):
        measure_rates(context, clocks, findings)
    with phase(context, "parity"):
        check_parity(context, program, findings)
    with phase(context, "timings"):
        compare(context, clocks, program, findings)
    write_decision(context, findings)
    with phase(context, "points"):
        point_variants.compare(context, clocks, status_of)
    with phase(context, "sanitizers"):
        sanitize(context, program, findings)
    best = decisions.best_variant(write_decision(context, findings))
    with phase(context, "profiles"):
        profiles.run_profiles(context, profiles.of_variant(best))
    with phase(context, "rows"):
        for one in timings.CASES:
            if one["name"] in ROWS:
                timings.run_case(context, clocks, {**one, "options": {**one["options"], "variant": best}})

"""Phase "points" of part "tune": the kernels for points of jobs beside their variants."""

import re
import statistics
import time

import timings

PROGRAM = "perf_device_points"
SECONDS = 40  # of one program
SIZES = {"nside": 2048, "lmax": 4095, "accuracy": 1e-6}
# Accuracy, width, fine grid, milliseconds of interpolation and spreading: median and minimum.
TIMED = re.compile(r"^ *[\d.]+e[-+]\d+ +\d+ +\d+ +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+$", re.MULTILINE)
DIRECTIONS = ("interpolation", "spreading")


def names_of(text):
    """The names that --list-variants prints, that of jobs first."""
    return [line.split()[0] for line in text.splitlines() if len(line.split("  ", 1)) == 2]


def times_of(text):
    """{direction: milliseconds}; empty if the program printed none."""
    found = TIMED.search(text)
    return dict(zip(DIRECTIONS, map(float, found.groups()))) if found else {}


def order_of(sound):
    """Each variant once between two times of that of jobs, which is first and last."""
    jobs, others = sound[0], sound[1:]
    order = [jobs]
    for name in others:
        order += [name, jobs]
    return order


def conclusion_of(times):
    """A line for the summary, from {variant: {direction: [ms]}}."""
    jobs = next(iter(times))
    medians = {name: {key: statistics.median(some) for key, some in of.items()} for name, of in times.items()}
    words = []
    for name, of in medians.items():
        text = ", ".join("%s %.3f ms" % (key, of[key]) for key in DIRECTIONS)
        ratios = " / ".join("%.2f" % (medians[jobs][key] / of[key]) for key in DIRECTIONS)
        words.append("%s %s%s" % (name, text, "" if name == jobs else " (%s times as fast as %s)" % (ratios, jobs)))
    return "points: " + "; ".join(words)


def compare(context, clocks, status_of):
    """Parity of all variants, then times of those that have it."""
    if not context.is_wanted("compare_points"):
        return
    report, program = context.report, context.program(PROGRAM)
    if not program:
        report.test("points", PROGRAM, "--list-variants", "failed", "the program is not there", "")
        return
    log = report.log_path("point_variants")
    end = context.run([program, "--list-variants"], log, SECONDS)
    names = names_of(end.text)
    if end.code != 0 or not names:
        report.test("points", PROGRAM, "--list-variants", "failed", end.reason(), log)
        return
    sound = []
    for name in names:
        log = report.log_path("parity_points_" + name)
        end = context.run([program, "--parity", "--variant", name], log, SECONDS)
        status, reason = status_of(end)
        report.test("parity", PROGRAM, name, status, reason, log, end.seconds)
        if status == "ok":
            sound.append(name)
    if not sound or sound[0] != names[0]:
        report.note("points: not timed, as the kernels of jobs are not sound")
        return
    times = {name: {} for name in sound}
    log = report.log_path("compare_points")
    start, status, reason, seconds = time.time(), "ok", "", 0.0
    for name in order_of(sound):
        end = context.run([program, "--variant", name] + timings.arguments(SIZES, context.quick), log, SECONDS)
        seconds += end.seconds
        for direction, milliseconds in times_of(end.text).items():
            times[name].setdefault(direction, []).append(milliseconds)
        status, reason = status_of(end)
        if status == "ok" and not times[name]:
            status, reason = "failed", "its output has no times"
        if status != "ok":
            break
    times = {name: of for name, of in times.items() if of}
    values = {"%s %s" % (name, key): statistics.median(some) for name, of in times.items() for key, some in of.items()}
    report.benchmark("compare_points", status, reason, log, seconds, values, clocks.between(start, time.time()))
    if len(times) > 1:
        report.note(conclusion_of(times))

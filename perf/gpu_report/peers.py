"""Part "peers": Armilla and other codes on the same GPU, in turns."""

import os
import re
import shutil
import statistics
import time

import timings

PROGRAM = "perf_device"
PEER_SECONDS = 90
DRIVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.py")
VERSION = re.compile(r"^version: (.*)$", re.M)
UNUSABLE = re.compile(r"^unusable: (.*)$", re.M)
DIRECTIONS = ("synthesis", "analysis")

# The case of timings.py that Armilla runs, and the code that runs the same sizes.
CASES = [
    ("gauss_1023", "shtns"),
    ("gauss_1023_spin1", "shtns"),
    ("gauss_4095", "shtns"),
    ("gauss_4095_spin1", "shtns"),
    ("gauss_8191", "shtns"),
    ("gauss_8191_spin1", "shtns"),
    ("gauss_179_8maps", "torch_harmonics"),
    ("gauss_179_8maps_single", "torch_harmonics"),
    ("gauss_359", "torch_harmonics"),
    ("gauss_359_single", "torch_harmonics"),
]


def find_codes(context, python):
    """{code: version} of those that this Python has and that can be used; a note for each of the others."""
    report = context.report
    path = shutil.which(python)
    found = {}
    for code in dict.fromkeys(code for _, code in CASES):
        reason = ""
        if context.device == "emulated":
            reason = "the emulated device is no GPU"
        elif not path:
            reason = "there is no Python '%s'" % python
        else:
            end = context.run([path, DRIVER, code], report.log_path("find_" + code), PEER_SECONDS)
            version, unusable = VERSION.search(end.text), UNUSABLE.search(end.text)
            if end.code == 0 and version:
                found[code] = version.group(1)
            else:
                reason = unusable.group(1) if unusable else end.reason()
        if reason:
            report.note("%s is not compared: %s" % (code, reason))
    return found


def run_peer(context, clocks, python, code, one):
    """{direction: ms} of another code."""
    report = context.report
    name = "%s_%s" % (one["name"], code)
    log = report.log_path(name)
    if context.budget.left() < timings.LEAST_SECONDS:
        report.benchmark(name, "not run", context.budget.reason(), log, 0.0, {}, {})
        return {}
    start = time.time()
    words = timings.arguments(one["options"], False)
    end = context.run([shutil.which(python), DRIVER, code] + words, log, PEER_SECONDS)
    values = timings.values_of(end.text)
    status, reason = ("ok", "") if end.code == 0 and values else ("failed", end.reason())
    if timings.TOO_LARGE in end.text:
        reason = "errors are too large"
    if end.why in ("budget", "limit"):
        status, reason = "not run", end.reason()
    report.benchmark(name, status, reason, log, end.seconds, values, clocks.between(start, time.time()))
    return values if status == "ok" else {}


def compare(context, clocks, python):
    """All cases: Armilla, the other code, and Armilla again."""
    report = context.report
    cases = {one["name"]: one for one in timings.CASES}
    versions = find_codes(context, python)
    for name, code in CASES:
        one = cases[name]
        if not context.is_wanted(name):
            continue
        own = [timings.run_case(context, clocks, one)]
        theirs = run_peer(context, clocks, python, code, one) if code in versions else {}
        if theirs:
            own.append(timings.run_case(context, clocks, one))
        for direction in DIRECTIONS:
            some = [values[direction] for values in own if direction in values]
            if some and direction in theirs:
                ours = statistics.median(some)
                report.ratios.append({
                    "case": name, "direction": direction, "own_ms": ours, "peer": versions[code],
                    "peer_ms": theirs[direction], "ratio": theirs[direction] / ours,
                })
        report.save()

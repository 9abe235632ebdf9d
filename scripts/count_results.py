#!/usr/bin/env python3
"""Counts the tests in a JUnit file of ctest, lists failed and skipped ones and the ten that take the most CPU time, and
prints 'N passed, N failed, N skipped'.

Each skipped test is listed with its reason, also where it is one of many tests in a program that passed. The counts are
of ctest's tests. Exit code 1 where a test failed or none ran at all. A test that could not be started counts as failed:
ctest reports it as 'notrun', like one that skipped itself, and only its message tells the two apart.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

SKIPPED_BY_CHOICE = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")

# How GoogleTest, pytest -rs and the scripts report a skipped test: its name, where there is one, and the reason.
PATTERNS = (
    re.compile(r"^\S+:\d+: Skipped\n(?P<reason>.*)\n+\[  SKIPPED \] (?P<name>\S+) \(", re.MULTILINE),
    re.compile(r"^SKIPPED \[\d+\] (?P<name>\S+): (?P<reason>.*)$", re.MULTILINE),
    re.compile(r"^(?P<name>)SKIPPED: (?P<reason>.*)$", re.MULTILINE),
)


def outcome(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    if status == "disabled":
        return "skipped"
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("message", "").startswith(SKIPPED_BY_CHOICE):
        return "skipped"
    return "failed"


def skipped_parts(case):
    """Name and reason of each test that a program skipped, as it says in its output."""
    text = case.findtext("system-out") or ""
    found = [match for pattern in PATTERNS for match in pattern.finditer(text)]
    return [(match["name"], match["reason"].strip() or "no reason given") for match in found]


def cpu_seconds(case):
    """User and system time of a test and its child processes, which GNU time prints last; None where it did not."""
    times = re.findall(r"^CPU seconds: (\d+\.\d+) (\d+\.\d+)$", case.findtext("system-out") or "", re.MULTILINE)
    return tuple(map(float, times[-1])) if times else None


def cpu_table(cases):
    """Lines about the ten tests that take the most CPU time, and the sum of all."""
    known = {case.get("name"): seconds for case in cases if (seconds := cpu_seconds(case))}
    if not known:
        return ["CPU time of tests: unknown, because GNU time is not installed (Debian: time)"]
    dearest = sorted(known, key=lambda name: -sum(known[name]))[:10]
    user, system = (sum(seconds[i] for seconds in known.values()) for i in (0, 1))
    return ["CPU time of tests, in the system, wall time:",
            *(f"{sum(known[case.get('name')]):8.1f} s {known[case.get('name')][1]:8.1f} s {float(case.get('time')):8.1f} s"
              f"  {case.get('name')}" for name in dearest for case in cases if case.get("name") == name),
            f"{user + system:8.1f} s {system:8.1f} s {sum(float(case.get('time')) for case in cases):8.1f} s"
            f"  {len(known)} of {len(cases)} tests"]


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    for case in cases:
        kind = outcome(case)
        counts[kind] += 1
        if kind == "failed":
            print(f"failed: {case.get('name')}")
        elif kind == "skipped":
            reasons = sorted({reason for _, reason in skipped_parts(case)})
            print(f"skipped: {case.get('name')}: {'; '.join(reasons) or 'no reason given'}")
        else:
            for name, reason in skipped_parts(case):
                print(f"skipped in {case.get('name')}: {name}: {reason}")
    print("\n".join(cpu_table(cases)))
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 0 if counts["failed"] == 0 and counts["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

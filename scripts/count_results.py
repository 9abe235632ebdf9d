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
    rows = []  # CPU time, the part of it in the system, wall time, name
    for case in cases:
        if seconds := cpu_seconds(case):
            rows.append((sum(seconds), seconds[1], float(case.get("time")), case.get("name")))
    if not rows:
        return ["CPU time of tests: unknown, because GNU time is not installed (Debian: time)"]
    sums = [sum(row[column] for row in rows) for column in range(3)]
    table = [*sorted(rows, reverse=True)[:10], (*sums, f"{len(rows)} of {len(cases)} tests")]
    return ["CPU time of tests, in the system, wall time:",
            *("{:8.1f} s {:8.1f} s {:8.1f} s  {}".format(*row) for row in table)]


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

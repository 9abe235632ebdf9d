#!/usr/bin/env python3
"""Counts the tests in a JUnit file that ctest wrote, lists what failed, and ends with 'N passed, N failed, N skipped'.

Exit code 1 where a test failed or none ran at all. A test that could not be started counts as failed: ctest reports it
as 'notrun', like one that skipped itself, and only its message tells the two apart.
"""

import sys
import xml.etree.ElementTree as ElementTree

SKIPPED_BY_CHOICE = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION_MATCHED", "Disabled")


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


def main(path):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        kind = outcome(case)
        counts[kind] += 1
        if kind != "passed":
            print(f"{kind}: {case.get('name')}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 0 if counts["failed"] == 0 and counts["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Runs tests of one program in as few processes as possible, so that each has its own time limit and a hang, a crash
or a failure costs one test: the tests behind it run in a process of their own."""

import fnmatch
import re

import process

RUN = re.compile(r"\[ RUN      \] (\S+)")
DONE = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).*\((\d+) ms\)")
OUTCOMES = {"OK": ("ok", ""), "SKIPPED": ("skipped", ""), "FAILED": ("failed", "an expectation failed")}
NO_DEVICE = "no GPU is visible"
LEAST_SECONDS = 3  # with less time left, nothing is started


def list_tests(program, log_path, budget, environment):
    """Full names of all tests of a program, or the End of a program that does not list them."""
    command = [program, "--gtest_list_tests", "--gtest_filter=*"]  # else GTEST_FILTER of the environment counts
    end = process.run(command, log_path, 60, budget, environment)
    names = []
    suite = None
    for line in end.text.split("\n"):
        words = line.split("#")[0].rstrip()
        if re.match(r"^[A-Za-z]\S*\.$", words):
            suite = words
        elif suite and re.match(r"^  \S+$", words):
            names.append(suite + words.strip())
    return names if end.code == 0 and names else end


def select(names, patterns):
    """The names that match any of the patterns, in the order of the patterns; and the patterns that match none."""
    chosen = []
    useless = []
    for pattern in patterns:
        found = fnmatch.filter(names, pattern)
        if not found:
            useless.append(pattern)
        chosen += [name for name in found if name not in chosen]
    return chosen, useless


def without(names, patterns):
    return [name for name in names if not any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def kinds(names):
    """The names in lists of those that differ in parameters alone."""
    result = {}
    for name in names:
        result.setdefault(re.sub(r"(\.[^/]+)/.*$", r"\1", name), []).append(name)
    return list(result.values())


class Follower:
    """Takes the output of a test program apart, line by line."""

    def __init__(self):
        self.running = None
        self.done = {}  # name -> (status, reason, seconds)
        self.no_device = False  # says the test that runs

    def __call__(self, line):
        if NO_DEVICE in line:
            self.no_device = True
        started = RUN.search(line)
        if started:
            self.running = started.group(1)
            self.no_device = False
            return "renew"
        ended = DONE.search(line)
        if ended:
            status, reason = OUTCOMES[ended.group(1)]
            if status == "skipped" and self.no_device:
                status, reason = "failed", NO_DEVICE
            self.done[ended.group(2)] = (status, reason, 1e-3 * int(ended.group(3)))
            self.running = None
            # An error of CUDA may stay with its process: the tests behind it get a new one.
            return "stop" if ended.group(1) == "FAILED" else "renew"
        return None


def run_tests(report, stage, program, command, names, limit, budget, environment):
    """Runs tests, each within `limit` seconds, by `command` (a launcher or tool may stand before the program)."""
    left = list(names)
    log = report.log_path("%s_%s" % (stage, program))
    while left:
        if budget.left() < LEAST_SECONDS:
            report.not_run(stage, program, left, process.Budget.reason())
            return
        follower = Follower()
        end = process.run(
            command + ["--gtest_filter=" + ":".join(left), "--gtest_color=no"], log, limit, budget, environment, follower
        )
        for name, (status, reason, seconds) in follower.done.items():
            report.test(stage, program, name, status, reason, log, seconds)
        left = [name for name in left if name not in follower.done]
        if end.why == "stopped":
            continue
        if end.why == "budget":
            report.not_run(stage, program, left, process.Budget.reason())
            return
        blamed = follower.running
        if blamed:
            status = "hung" if end.why == "limit" else "failed"
            report.test(stage, program, blamed, status, end.reason(), log)
            left.remove(blamed)
            continue
        if end.why != "exit" or end.code != 0:
            # No test is to blame: the program does not start or does not end, another rank failed, or a tool found
            # errors, which its log has.
            what = names[0] if len(names) == 1 else "%d tests, %s first" % (len(names), names[0])
            report.test(stage, program, what, "failed", end.reason(), log)
        if left and not follower.done:
            report.not_run(stage, program, left, "the program ended before")
            return

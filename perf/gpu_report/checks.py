"""The parts of tests: smoke, parity, compute-sanitizer, large cases."""

import time

import gtests
import machine
import plans

SANITIZER_REFUSALS = ("not supported", "Unable to", "Failed to")


def smoke(context):
    """The binary starts, computes on the device and agrees with the reference engine. False without a device."""
    report = context.report
    backend = "cuda" if context.device == "gpu" else "cpu"
    bench = ["bench", "--grid", "gauss:64,healpix:16", "--spin", "0,2", "--direction", "synthesis,analysis"]
    commands = [
        ("perf_device", ["--nlat", "16", "--lmax", "15"]),
        ("armilla", ["--version"]),
        ("armilla", bench + ["--rounds", "1", "--backend", backend]),
    ]
    for name, words in commands:
        log = report.log_path("smoke_" + name)
        program = context.program(name)
        if not program:
            report.test("smoke", name, words[0], "failed", "the program is not there", log)
            continue
        end = context.run([program] + words, log, plans.TEST_SECONDS)
        if gtests.NO_DEVICE in end.text:
            return False
        ok = end.why == "exit" and end.code == 0
        status = "ok" if ok else "not run" if end.why == "budget" else "failed"
        report.test("smoke", name, words[0], status, "" if ok else end.reason(), log)
    return True


def names_of(context, program):
    """All tests of a program, listed once; none, with a failure in the report, where that cannot be."""
    if program in context.names:
        return context.names[program]
    path = context.program(program)
    log = context.report.log_path("list_" + program)
    names = []
    if not path:
        context.report.test("list", program, "all tests", "failed", "the program is not there", log)
    elif context.budget.left() < gtests.LEAST_SECONDS:
        context.report.not_run("list", program, ["all tests"], context.budget.reason())
    else:
        found = gtests.list_tests(path, log, context.budget, context.variables(1))
        if isinstance(found, list):
            names = found
        else:
            context.report.test("list", program, "all tests", "failed", found.reason(), log)
    context.names[program] = names
    return names


def chosen(context, program, patterns):
    """The tests that match patterns. A pattern that matches none is a failure: tests were renamed behind its back."""
    names = names_of(context, program)
    if not names:
        return []
    found, useless = gtests.select(names, patterns)
    for pattern in useless:
        if (program, pattern) in context.useless:
            continue
        context.useless.add((program, pattern))
        log = context.report.log_path("list_" + program)
        context.report.test("list", program, pattern, "failed", "the pattern in plans.py matches no test", log)
    return found


def narrowed(context, program, names):
    """Those that --only and the quick choice leave."""
    if context.quick:
        names = [name for name in chosen(context, program, plans.QUICK[program]) if name in names]
    return [name for name in names if context.is_wanted("%s %s" % (program, name))]


def run(context, stage, program, names, ranks, limit, budget, tool=()):
    """Runs some tests of a program, under a tool if one is given."""
    names = narrowed(context, program, names)
    if not names:
        return
    command = list(tool) + [context.program(program)]
    if ranks > 1:
        command = [context.mpirun, "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] + command
    start = time.monotonic()
    gtests.run_tests(context.report, stage, program, command, names, limit, budget, context.variables(ranks))
    text = "%s %s: %d tests, %s first, %.0f s"
    context.report.say(text % (stage, program, len(names), names[0], time.monotonic() - start))


def parity(context, budget, ranks):
    """All tests that are not large, on one rank or several."""
    if ranks > 1 and not context.mpirun:
        context.report.note("mpirun not found: nothing run on %d ranks" % ranks)
        return
    for program in plans.PROGRAMS if ranks == 1 else plans.MPI_PROGRAMS:
        large = chosen(context, program, plans.LARGE[program])
        names = [name for name in names_of(context, program) if name not in large]
        run(context, "parity_%d" % ranks, program, names, ranks, plans.TEST_SECONDS, budget)


def large(context, budget, ranks):
    if ranks > 1 and not context.mpirun:
        context.report.note("mpirun not found: nothing run on %d ranks" % ranks)
        return
    for program in plans.PROGRAMS if ranks == 1 else plans.MPI_PROGRAMS:
        names = chosen(context, program, plans.LARGE[program])
        run(context, "large_%d" % ranks, program, names, ranks, plans.LARGE_SECONDS, budget)


def sanitizer_command(context, tools):
    """compute-sanitizer, if it is there and takes this device; else None and a note."""
    path = machine.cuda_tool("compute-sanitizer")
    if not path:
        context.report.note("compute-sanitizer not found: no %s" % ", no ".join(tools))
        return None
    if context.device == "emulated":
        context.report.note("compute-sanitizer: the emulated device is no GPU, no %s" % ", no ".join(tools))
        return None
    program = context.program("test_kernels")
    if not program:
        return None
    names = chosen(context, "test_kernels", plans.TRIAL["test_kernels"])
    if not names:
        return None
    log = context.report.log_path("compute_sanitizer")
    trial = [path, "--tool", tools[0], program, "--gtest_filter=" + ":".join(names)]
    end = context.run(trial, log, plans.SANITIZER_SECONDS)
    if "ERROR SUMMARY" not in end.text or any(word in end.text for word in SANITIZER_REFUSALS):
        words = [line for line in end.text.split("\n") if line.startswith("=====")][1:2]
        context.report.note(
            "compute-sanitizer refuses this machine, no %s: %s" % (", no ".join(tools), "".join(words) or end.reason())
        )
        return None
    return [path, "--error-exitcode", "1", "--print-limit", "20", "--tool"]


def sanitize(context, sanitizer, tool, patterns, budget):
    """Each kind of test in a process of its own, since the tool tells the errors of a process by its exit code."""
    for program, some in patterns.items():
        for kind in gtests.kinds(chosen(context, program, some)):
            run(context, tool, program, kind, 1, plans.SANITIZER_SECONDS, budget, sanitizer + [tool])


def check(context):
    """Part "check": parity on one rank, memcheck, synccheck and racecheck on tiny cases, parity on several ranks."""
    parity(context, context.budget.share(0.5), 1)
    sanitizer = sanitizer_command(context, ["memcheck", "synccheck", "racecheck"])
    if sanitizer:
        sanitize(context, sanitizer, "memcheck", plans.TINY, context.budget.share(0.4))
        sanitize(context, sanitizer, "synccheck", plans.TINY, context.budget.share(0.4))
        sanitize(context, sanitizer, "racecheck", plans.RACES, context.budget.share(0.3))
    parity(context, context.budget, plans.RANKS)


def deep(context):
    """Part "deep": racecheck of what part "check" leaves out, large tests, initcheck."""
    sanitizer = sanitizer_command(context, ["initcheck", "racecheck"])
    patterns = {program: some + plans.SMALL.get(program, []) for program, some in plans.TINY.items()}
    if sanitizer:
        races = {
            program: [pattern for pattern in some if pattern not in plans.RACES.get(program, [])]
            for program, some in patterns.items()
        }
        sanitize(context, sanitizer, "racecheck", races, context.budget.share(0.4))
    large(context, context.budget.share(0.6), 1)
    if sanitizer:
        sanitize(context, sanitizer, "initcheck", patterns, context.budget.share(0.7))
    large(context, context.budget, plans.RANKS)

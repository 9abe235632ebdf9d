"""Counters of single kernels by Nsight Compute, if it is there and may read them."""

import re

import machine
import timings

LIMIT_SECONDS = 90
METRICS = [
    "gpu__time_duration.sum",
    "sm__cycles_elapsed.max",
    "smsp__inst_executed.sum",
    "sm__inst_executed_pipe_fp64.sum",
    "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "launch__registers_per_thread",
    "launch__occupancy_limit_registers",
    "launch__waves_per_multiprocessor",
]
# (name, pattern of the demangled name of the kernel, case): the scalar Legendre kernels, and folding of ring modes both ways.
KERNELS = [
    ("synthesis", "synthesis_kernel<", {"nlat": 4096, "lmax": 4095}),
    ("adjoint", "adjoint_kernel<", {"nlat": 4096, "lmax": 4095}),
    ("fold", "team_kernel<.*::Fold<", {"nside": 2048, "lmax": 4095}),
    ("unfold", "team_kernel<.*::Unfold<", {"nside": 2048, "lmax": 4095}),
]
VALUE = re.compile(r"^ {4}(\S.*?) {2,}(?:(\S+) +)?([\d.,]+)$")


def metrics_of(text):
    """{metric: value and unit} of the table that ncu prints."""
    found = {}
    for line in text.split("\n"):
        match = VALUE.match(line)
        if match:
            found[match.group(1)] = "%s %s" % (match.group(3), match.group(2) or "")
    return found


def refusal(text):
    lines = [line for line in text.split("\n") if line.startswith("==ERROR==") or line.startswith("==WARNING==")]
    return lines[0] if lines else "no metrics in its output"


def run_profiles(context):
    report = context.report
    ncu = machine.cuda_tool("ncu")
    if not ncu:
        report.note("ncu not found: no kernel profiled")
        return
    if context.device == "emulated":
        report.note("ncu: the emulated device has no kernels to profile")
        return
    program = context.program("perf_device")
    for name, kernel, options in KERNELS:
        if not program or not context.is_wanted("profile_" + name):
            continue
        log = report.log_path("profile_" + name)
        if context.budget.left() < timings.LEAST_SECONDS:
            report.profile(name, "not run", context.budget.reason(), log, {})
            continue
        # Clocks stay as they are; the first launch of each kernel is the warm-up.
        command = [ncu, "--clock-control", "none", "--kernel-name-base", "demangled"]
        command += ["--kernel-name", "regex:" + kernel, "--launch-skip", "1", "--launch-count", "1", "--kill", "yes"]
        metrics = {}
        # Names of metrics change with the chip and the version: sections of ncu's own are the second choice.
        for choice in (["--metrics", ",".join(METRICS)], ["--set", "basic"]):
            end = context.run(command + choice + [program] + timings.arguments(options, False), log, LIMIT_SECONDS)
            metrics = metrics_of(end.text)
            if metrics or end.why != "exit":
                break
        if metrics:
            report.profile(name, "ok", "", log, metrics)
        else:
            why = end.reason() if end.why != "exit" else refusal(end.text)
            report.profile(name, "not run", why, log, {})
            report.note("ncu returned no metrics for %s: %s" % (name, why))

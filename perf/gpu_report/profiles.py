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
# Legendre kernels and kernels for points: wavefronts of shared memory, and what warps wait for.
STALL_METRICS = ["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"] + [
    "smsp__average_warps_issue_stalled_%s_per_issue_active.ratio" % reason
    for reason in ("barrier", "dispatch_stall", "short_scoreboard", "long_scoreboard", "mio_throttle",
                   "math_pipe_throttle", "wait")
]
# Kernels for points: bank conflicts, loads of constants by index, and other reasons to wait.
POINT_METRICS = STALL_METRICS + [
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
    "idc__requests.sum",
    "idc__requests_lookup_miss.sum",
    "launch__shared_mem_per_block_static",
    "launch__occupancy_limit_shared_mem",
    "smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
]
POINTS = {"nside": 2048, "lmax": 4095, "turns": 1}
# (name, pattern of the demangled name of the kernel, program, case, metrics): the scalar Legendre kernels, folding of
# ring modes both ways, and sums at points.
LEGENDRE_KERNELS = [
    (name, name + "_kernel<", "perf_device", {"nlat": 4096, "lmax": 4095},
     METRICS + STALL_METRICS)
    for name in ("synthesis", "adjoint")
]
KERNELS = LEGENDRE_KERNELS + [
    ("fold", "team_kernel<.*::Fold<", "perf_device", {"nside": 2048, "lmax": 4095}, METRICS),
    ("unfold", "team_kernel<.*::Unfold<", "perf_device", {"nside": 2048, "lmax": 4095}, METRICS),
] + [
    (name + "_" + accuracy, "team_kernel<.*::%s<" % body, "perf_device_points", {**POINTS, "accuracy": accuracy},
     METRICS + POINT_METRICS)
    for accuracy in ("1e-6", "1e-10")
    for name, body in (("interpolate", "InterpolatePoints"), ("spread", "SpreadPoints"))
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


def of_variant(variant):
    """The scalar Legendre kernels of a variant of perf_device."""
    return [
        (name, kernel, program, {**options, "variant": variant}, metrics)
        for name, kernel, program, options, metrics in LEGENDRE_KERNELS
    ]


def run_profiles(context, kernels):
    """Profiles kernels, given as in KERNELS."""
    report = context.report
    ncu = machine.cuda_tool("ncu")
    if not ncu:
        report.note("ncu not found: no kernel profiled")
        return
    if context.device == "emulated":
        report.note("ncu: the emulated device has no kernels to profile")
        return
    for name, kernel, of_kernel, options, wanted in kernels:
        program = context.program(of_kernel)
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
        # Names of metrics change with the chip and the version: fewer, then sections of ncu's own, are the next choices.
        for choice in (["--metrics", ",".join(wanted)], ["--metrics", ",".join(METRICS)], ["--set", "basic"]):
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

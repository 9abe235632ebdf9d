"""perf/gpu_report/tune.py: what its phases conclude from how programs end."""

import pathlib
import sys
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "perf" / "gpu_report"))
import point_variants  # noqa: E402
import process  # noqa: E402
import tune  # noqa: E402


@pytest.mark.parametrize("why, code, status, excluded", [
    ("exit", 0, "ok", False), ("exit", 1, "failed", True), ("limit", None, "hung", False),
    ("budget", None, "not run", False)])
def test_only_an_error_that_a_sanitizer_found_excludes_a_variant(monkeypatch, why, code, status, excluded):
    tests = []
    report = types.SimpleNamespace(log_path=str, test=lambda *record: tests.append(record))
    context = types.SimpleNamespace(
        report=report, budget=process.Budget(60), is_wanted=lambda name: name.startswith("racecheck"),
        run=lambda command, log, limit: process.End(why, code, 1.0, ""))
    monkeypatch.setattr(tune.checks, "sanitizer_command", lambda context, tools: ["sanitizer", "--tool"])
    findings = tune.Findings()
    findings.variants = {"steps_64": {}}
    tune.sanitize(context, "perf_device", findings)
    assert [one[3] for one in tests] == [status]
    assert ("steps_64" in findings.broken) is excluded


LISTED = "jobs                 those of jobs\ntensor_points        16 x 16 products\n"
TIMES = "accuracy  width   fine   interp. [ms]     least    spread [ms]     least\n   1e-06      8   8640 %s    1.0  %s    2.0\n"


@pytest.mark.parametrize("broken", [False, True])
def test_variants_for_points_are_timed_between_those_of_jobs(broken):
    commands, tests, benchmarks, notes = [], [], [], []

    def run(command, log, limit):
        commands.append(command[1:4])
        if "--list-variants" in command:
            return process.End("exit", 0, 1.0, LISTED)
        is_jobs = "jobs" in command
        if "--parity" in command:
            return process.End("exit", 1 if broken and not is_jobs else 0, 1.0, "")
        return process.End("exit", 0, 1.0, TIMES % (("4.0", "8.0") if is_jobs else ("2.0", "10.0")))

    report = types.SimpleNamespace(log_path=str, test=lambda *record: tests.append(record), note=notes.append,
                                   benchmark=lambda *record: benchmarks.append(record))
    context = types.SimpleNamespace(report=report, program=lambda name: name, run=run, quick=True,
                                    is_wanted=lambda name: name == "compare_points")
    clocks = types.SimpleNamespace(between=lambda start, end: {})
    point_variants.compare(context, clocks, tune.status_of)
    timed = [command[1] for command in commands if command[0] == "--variant"]
    assert timed == (["jobs"] if broken else ["jobs", "tensor_points", "jobs"])
    assert [record[3] for record in tests] == ["ok", "failed" if broken else "ok"]
    values = benchmarks[0][5]
    assert values["jobs interpolation"] == 4.0
    if broken:
        assert "tensor_points interpolation" not in values and not notes
    else:
        assert values["tensor_points spreading"] == 10.0
        assert notes[0].endswith("(2.00 / 0.80 times as fast as jobs)")

"""perf/gpu_report/tune.py: what its phases conclude from how programs end."""

import pathlib
import sys
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "perf" / "gpu_report"))
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

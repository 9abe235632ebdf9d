"""kernels/legendre/tuning.hpp is what perf/tuning.py makes of perf/tuning.json."""

import json
import os
import sys

import pytest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "perf"))

import tuning  # noqa: E402


def choices():
    return json.loads((tuning.HOME / "tuning.json").read_text())


def test_header_is_that_of_the_choices():
    assert tuning.main(["--check"]) == 0


def test_choices_without_a_kernel_are_rejected():
    unknown = choices()
    unknown["adjoint"]["steps"] = 24
    with pytest.raises(ValueError, match="adjoint.steps: 24"):
        tuning.header_of(unknown)
    unknown = choices()
    del unknown["synthesis"]["tiles"]
    with pytest.raises(ValueError, match="members"):
        tuning.header_of(unknown)
    emulated = {**choices(), "measured": {"device": "emulated"}}
    with pytest.raises(ValueError, match="emulated"):
        tuning.header_of(emulated)


def test_choices_by_the_report_are_taken_over(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "HEADER", tmp_path / "tuning.hpp")
    monkeypatch.setattr(tuning, "CHOICES", tmp_path / "tuning.json")
    chosen = json.loads((tuning.HOME / "tuning.json").read_text())
    chosen["adjoint"]["steps"] = 64
    chosen["measured"] = {"device": "gpu"}
    (tmp_path / "report.json").write_text(json.dumps(chosen))
    assert tuning.main([str(tmp_path / "report.json")]) == 0
    assert "kAdjointSteps = 64" in (tmp_path / "tuning.hpp").read_text()
    assert tuning.main(["--check"]) == 0

"""perf/gpu_report/decisions.py: which kernels are chosen by which measurements."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "perf" / "gpu_report"))
import decisions  # noqa: E402

VARIANTS = {
    "production": {"synthesis": {"tiles": "block", "pairs": 4, "steps": 32}, "adjoint": {"pairs": 4, "steps": 32}},
    "cuda_cores": {},
    "pairs_8": {"synthesis": {"pairs": 8}},
    "steps_64": {"synthesis": {"steps": 64}},
    "adjoint_64": {"adjoint": {"steps": 64}},
}
RATES = {"DFMA, one operand": 2.0, "DFMA, three operands": 3.0, "DMMA, 16 rows": 16.0,
         "DMMA of half of the warps, DFMA of the others": 15.8, "16-byte load, one address": 2.0}


def times(**synthesis):
    own = {"synthesis": [4.0, 4.04, 4.08], "adjoint": [6.0]}
    return {case: {"production": own, **{name: {"synthesis": [ms]} for name, ms in synthesis.items()}}
            for case in ("large", "small")}


def choose(some, broken=(), rates=RATES, counted=("large", "small")):
    tuning = decisions.decide(VARIANTS, some, counted, {name: "broken" for name in broken}, rates)
    return tuning, tuning["measured"]["decisions"]["synthesis"]["chosen"]


def test_text_of_choices():
    assert decisions.choices_of("adjoint.steps=64,synthesis.tiles=warp") == {
        "adjoint": {"steps": 64}, "synthesis": {"tiles": "warp"}}
    assert decisions.choices_of("-") == {}


def test_the_fastest_variant_replaces_the_kernels_of_jobs():
    tuning, chosen = choose(times(pairs_8=3.5, steps_64=3.4, cuda_cores=3.0))
    assert chosen == "steps_64"
    assert tuning["synthesis"] == {"tiles": "block", "pairs": 4, "steps": 64}
    assert tuning["adjoint"] == VARIANTS["production"]["adjoint"]
    assert decisions.best_variant(tuning) == "production+steps_64"
    line = "synthesis: cuda_cores takes 0.743 of the time of jobs; tuning.json cannot select it"
    assert line in decisions.lines_of(tuning)
    assert VARIANTS["production"]["synthesis"]["steps"] == 32


def test_a_gain_within_the_drift_changes_nothing():
    assert choose(times(steps_64=3.98))[1] == "production"


def test_broken_variants_are_not_chosen():
    assert choose(times(pairs_8=3.5, steps_64=3.4), broken=["steps_64"])[1] == "pairs_8"


def test_slow_loads_prefer_more_pairs_of_equal_variants():
    slow = {**RATES, "16-byte load, one address": 4.0}
    assert choose(times(pairs_8=3.45, steps_64=3.4), rates=slow)[1] == "pairs_8"
    assert choose(times(pairs_8=3.7, steps_64=3.4), rates=slow)[1] == "steps_64"


def test_a_cut_run_decides_by_what_it_has():
    some = times(pairs_8=3.5, steps_64=3.4)
    del some["small"]["steps_64"]
    tuning, chosen = choose(some)
    assert chosen == "steps_64"
    assert tuning["measured"]["decisions"]["synthesis"]["cases"] == ["large"]
    assert choose({}, rates={})[1] == "production"


def test_cases_that_do_not_count():
    some = times(steps_64=3.4)
    some["batch"] = {"production": {"synthesis": [1.0]}, "steps_64": {"synthesis": [9.0]}}
    assert choose(some)[1] == "steps_64"


@pytest.mark.parametrize("number, changed, holds", [
    (0, {}, True),
    (0, {"DFMA, three operands": 2.1}, False),
    (1, {}, False),
    (1, {"16-byte load, one address": 4.0}, True),
    (2, {}, False),
    (2, {"DMMA of half of the warps, DFMA of the others": 9.0}, True),
])
def test_rules_on_rates(number, changed, holds):
    found = decisions.findings({**RATES, **changed})[number]
    assert found["holds"] == holds
    assert found["consequence"] == decisions.RULES[number][4 if holds else 5]

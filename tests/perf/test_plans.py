"""perf/gpu_report/plans.py: every pattern matches a test, and one that matches none is a failure of the report."""
import os
import pathlib
import sys
import types

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "perf" / "gpu_report"))
import checks  # noqa: E402
import gtests  # noqa: E402
import machine  # noqa: E402
import plans  # noqa: E402
import process  # noqa: E402

TABLES = ("LARGE", "TINY", "TRIAL", "RACES", "SMALL", "QUICK")


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    """All tests of each program on the emulated device."""
    programs = machine.Programs(pathlib.Path(os.environ["ARMILLA_BINARY"]).parents[1])
    log = tmp_path_factory.mktemp("list") / "log"
    found = {}
    for program in plans.PROGRAMS:
        path = programs.find(program, "emulated")
        assert path, program + " is not there"
        found[program] = gtests.list_tests(path, str(log), process.Budget(50), dict(os.environ))
        assert isinstance(found[program], list), found[program].reason()
    return found


@pytest.mark.parametrize("table", TABLES)
def test_every_pattern_matches_a_test(names, table):
    useless = {program: gtests.select(names[program], some)[1] for program, some in getattr(plans, table).items()}
    assert {program: some for program, some in useless.items() if some} == {}


def test_part_check_runs_no_sweep(names):
    for program in plans.PROGRAMS:
        large = gtests.select(names[program], plans.LARGE[program])[0]
        assert [name for name in names[program] if "Sweep" in name and name not in large] == []


def test_sanitizers_see_spins_0_and_2(names):
    tiny = gtests.select(names["test_backend"], plans.TINY["test_backend"])[0]
    for suite in ("DeviceLegendreCase", "TensorLegendreCase"):
        for spin in ("spin0", "spin2"):
            assert [name for name in tiny if suite in name and spin in name]


def test_patterns_that_match_nothing_are_failures(monkeypatch):
    failed = []
    report = types.SimpleNamespace(log_path=str, test=lambda *words: failed.append(words[1:4]))
    listed = {"a": ["Some.Test"], "b": ["Some.Test"]}
    context = types.SimpleNamespace(names=listed, useless=set(), report=report, quick=True, is_wanted=bool)
    quick = {"a": ["Some.*", "Gone.*"], "b": ["Gone.*"]}
    monkeypatch.setattr(plans, "QUICK", quick)
    for _ in range(2):
        assert checks.chosen(context, "a", ["Lost.*", "Some.*"]) == ["Some.Test"]
        assert checks.narrowed(context, "a", ["Some.Test"]) == ["Some.Test"]
        assert checks.narrowed(context, "b", ["Some.Test"]) == []
    assert failed == [("a", "Lost.*", "failed"), ("a", "Gone.*", "failed"), ("b", "Gone.*", "failed")]

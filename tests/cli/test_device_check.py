"""The check of GPUs before a run, in a child process: what a device that crashes, hangs or computes wrongly does to a
run, and that results are kept. On the emulated device, which ARMILLA_EMULATION tells what to be like."""
import json

import pytest
from conftest import EMULATED
from tiers import sweep

JOB = """
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 20, seed: 5, out: truth}
  - synthesis: {alm: truth, grid: {gauss: {nlat: 24}}, out: map}
outputs:
  map: {file: map.h5}
"""
RANKS = pytest.mark.parametrize("ranks", [0, *sweep(3)])
ON_CPU = "so all ranks compute on CPUs. GPU 'emulated' of rank 0 on "
ABORTED = "the check of the GPU was terminated by signal 6 (Aborted)"


class Machine:
    """Runs one job with a cache of its own."""

    def __init__(self, place):
        self.place = place
        self.cache = place.folder / "cache"
        place.job(JOB)

    def run(self, emulation="", backend="auto", ranks=0, **variables):
        variables = {"ARMILLA_EMULATION": emulation, "ARMILLA_CACHE_DIR": str(self.cache), **variables}
        return self.place.armilla("run", "job.yaml", "--set", f"execution.backend={backend}", "--report", "report.json",
                                  ranks=ranks, program=EMULATED, variables=variables)

    def report(self, *arguments, **options):
        result = self.run(*arguments, **options)
        assert result.code == 0, result.error
        return self.place.report("report.json")

    def map(self):
        return (self.place.folder / "map.h5").read_bytes()

    def kept(self):
        """The files of kept results, with their times."""
        return {file: file.stat().st_mtime_ns for file in self.cache.glob("device_checks/*")}


@pytest.fixture
def machine(place):
    return Machine(place)


@RANKS
def test_a_right_device_is_checked_once(machine, ranks):
    report = machine.report(ranks=ranks)
    assert report["backend"] == "cuda"
    assert report["warnings"] == []
    assert report["device_check"]["passed"] and not report["device_check"]["kept"]
    assert 0 < report["device_check"]["relative_rms"] < 1e-12
    kept = machine.kept()
    assert len(kept) == 1
    for backend in ("auto", "cuda"):
        later = machine.run(backend=backend, ranks=ranks)
        assert later.code == 0, later.error
        assert "result of an earlier run" in later.out
        check = machine.place.report("report.json")["device_check"]
        assert check == {**report["device_check"], "kept": True}
    assert machine.kept() == kept
    # The device is wrong from now on, which nobody looks into.
    assert machine.report("transform_error=1e-3", ranks=ranks)["backend"] == "cuda"


@RANKS
def test_a_crash_leaves_auto_on_cpus(machine, ranks):
    machine.report(backend="cpu", ranks=ranks)
    right = machine.map()
    report = machine.report("crash=1", ranks=ranks)
    assert machine.map() == right
    assert report["backend"] == "cpu"
    assert report["device_check"]["relative_rms"] is None
    (warning,) = report["warnings"]
    (kept,) = machine.kept()
    assert ON_CPU in warning and ABORTED in warning
    assert f"This result is cached in {kept}: delete that file to repeat the check" in warning
    # A later run takes the kept fault, although the device is right by now.
    before = machine.kept()
    again = machine.report(ranks=ranks)
    assert (again["backend"], again["warnings"]) == ("cpu", [warning])
    assert machine.kept() == before
    kept.unlink()
    assert machine.report(ranks=ranks)["backend"] == "cuda"


@pytest.mark.parametrize("ranks", [2, *sweep(0, 3)])
def test_a_crash_ends_a_run_that_names_the_device(machine, ranks):
    for emulation in ("crash=1", ""):  # the second run takes the kept fault
        result = machine.run(emulation, backend="cuda", ranks=ranks)
        assert result.code == 3, result.error
        (error,) = result.errors()
        assert "backend = cuda: the device check before the run failed. GPU 'emulated' of rank 0 on " in error
        assert ABORTED in error and str(next(iter(machine.kept()))) in error
        assert not (machine.place.folder / "map.h5").exists()


@RANKS
def test_a_hang_ends_after_the_time_limit(machine, ranks):
    limit = {"ARMILLA_DEVICE_CHECK_SECONDS": "0.5"}
    report = machine.report("hang=1", ranks=ranks, **limit)
    assert report["backend"] == "cpu"
    assert "the check of the GPU did not finish within 0.5 s" in report["warnings"][0]
    assert machine.run("hang=1", backend="cuda", ranks=ranks, **limit).code == 3
    assert len(machine.kept()) == 1


@pytest.mark.parametrize("seconds", ["soon", *sweep("0", "-3", "nan", "1e6", "")])
def test_a_bad_time_limit_is_refused(machine, seconds):
    result = machine.run(ARMILLA_DEVICE_CHECK_SECONDS=seconds)
    assert result.code == 2
    assert f"ARMILLA_DEVICE_CHECK_SECONDS = '{seconds}' is not a number between 0 and 86400" in result.errors()[0]


def test_wrong_numbers_are_kept_and_errors_that_may_pass_are_not(machine):
    assert "has a relative rms error of " in machine.report("row_error=1e-3")["warnings"][0]
    (kept,) = machine.kept()
    assert "has a relative rms error of " in json.loads(kept.read_text())["check"]["fault"]
    assert "has a relative rms error of " in machine.report()["warnings"][0]
    kept.unlink()
    assert "the emulated device was told to fail" in machine.report("fails=1")["warnings"][0]
    assert machine.kept() == {}
    assert machine.report()["backend"] == "cuda"


def test_each_device_and_precision_is_checked(machine):
    machine.report("devices=2", ranks=2)
    assert len(machine.kept()) == 2
    result = machine.place.armilla("run", "job.yaml", "--set", "execution.precision=single", program=EMULATED,
                                   variables={"ARMILLA_CACHE_DIR": str(machine.cache)})
    assert result.code == 0, result.error
    assert len(machine.kept()) == 3


def test_a_broken_file_counts_as_none(machine):
    machine.report()
    (kept,) = machine.kept()
    kept.write_text("{")
    assert machine.report()["device_check"]["kept"] is False
    assert machine.report()["device_check"]["kept"] is True


@RANKS
def test_a_run_without_a_cache_checks_each_time(machine, ranks):
    (machine.place.folder / "file").write_text("no folder\n")
    for cache in ("/dev/null/cache", machine.place.folder / "file", machine.place.folder / "file"):
        report = machine.report(ranks=ranks, ARMILLA_CACHE_DIR=str(cache))
        assert (report["backend"], report["device_check"]["kept"]) == ("cuda", False)
    result = machine.place.armilla("run", "job.yaml", prefix=["env", "-u", "HOME", "-u", "ARMILLA_CACHE_DIR",
                                                             "-u", "XDG_CACHE_HOME"], ranks=ranks, program=EMULATED)
    assert result.code == 0, result.error
    assert "device check: GPU 'emulated' differs" in result.out


def test_benchmarks_check_in_a_child_too(machine):
    arguments = ("bench", "--grid", "gauss:16", "--rounds", 1, "--json", "b.json", "--backend")
    variables = {"ARMILLA_CACHE_DIR": str(machine.cache), "ARMILLA_EMULATION": "crash=1"}
    result = machine.place.armilla(*arguments, "auto", program=EMULATED, variables=variables)
    assert result.code == 0, result.error
    assert machine.place.report("b.json")[0]["backend"] == "cpu"
    assert ABORTED in result.error
    result = machine.place.armilla(*arguments, "cuda", program=EMULATED, variables=variables)
    assert result.code == 3
    assert ABORTED in result.errors()[0]


def test_the_verb_is_not_listed_and_prints_one_line(machine):
    assert "check-device" not in machine.place.armilla("--help", program=EMULATED).out
    result = machine.place.armilla("check-device", "--backend", "cuda", "--precision", "single", program=EMULATED)
    assert result.code == 0, result.error
    check = json.loads(result.out)
    assert check["fault"] == "" and check["lasting"] and 0 < check["rms"] < 1e-6
    result = machine.place.armilla("check-device", "--backend", "cpu", program=EMULATED)
    assert result.code == 2
    assert "backend cpu has no device to check" in result.error


@pytest.mark.parametrize("words", ["steam=1", *sweep("crash", "row_error=many", "visible=2")])
def test_the_emulated_device_refuses_unknown_words(machine, words):
    result = machine.run(words)
    assert result.code == 2
    assert "ARMILLA_EMULATION: " in result.error

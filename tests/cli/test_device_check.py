"""The check of GPUs before a run: what a device that fails or computes wrongly does to a run. On the emulated device,
which ARMILLA_EMULATION configures."""
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
WRONG = "GPU 'emulated' of rank 0 on "


class Machine:
    """Runs one job with a cache of its own."""

    def __init__(self, place):
        self.place = place
        self.cache = place.folder / "cache"
        place.job(JOB)

    def run(self, emulation="", backend="auto", ranks=0):
        variables = {"ARMILLA_EMULATION": emulation, "ARMILLA_CACHE_DIR": str(self.cache)}
        return self.place.armilla("run", "job.yaml", "--set", f"execution.backend={backend}", "--report", "report.json",
                                  ranks=ranks, program=EMULATED, variables=variables)

    def report(self, *arguments, **options):
        result = self.run(*arguments, **options)
        assert result.code == 0, result.error
        return self.place.report("report.json")

    def map(self):
        return (self.place.folder / "map.h5").read_bytes()


@pytest.fixture
def machine(place):
    return Machine(place)


@RANKS
def test_each_run_checks_its_devices(machine, ranks):
    for backend in ("auto", "cuda"):
        report = machine.report(backend=backend, ranks=ranks)
        assert report["backend"] == "cuda"
        assert report["warnings"] == []
        check = report["device_check"]
        assert check["device"] == "emulated" and check["passed"] and not check["kept"]
        assert 0 < check["relative_rms"] < 1e-12 < check["limit"]
    assert not machine.cache.exists()


@RANKS
@pytest.mark.parametrize("emulation, message", [("row_error=1e-3", "has a relative rms error of "),
                                                ("fails=1", "the emulated device was told to fail")])
def test_a_faulty_device_leaves_auto_on_cpus(machine, ranks, emulation, message):
    machine.report(backend="cpu", ranks=ranks)
    right = machine.map()
    report = machine.report(emulation, ranks=ranks)
    assert machine.map() == right
    assert report["backend"] == "cpu"
    assert not report["device_check"]["passed"]
    (warning,) = report["warnings"]
    assert f"so all ranks compute on CPUs. {WRONG}" in warning and message in warning


@RANKS
def test_a_faulty_device_ends_a_run_that_names_it(machine, ranks):
    result = machine.run("row_error=1e-3", backend="cuda", ranks=ranks)
    assert result.code == 3, result.error
    (error,) = result.errors()
    assert f"backend cuda: the device check before the run failed. {WRONG}" in error
    assert not (machine.place.folder / "map.h5").exists()


def test_benchmarks_check_devices_too(machine):
    arguments = ("bench", "--grid", "gauss:16", "--rounds", 1, "--json", "b.json", "--backend")
    variables = {"ARMILLA_EMULATION": "row_error=1e-3"}
    result = machine.place.armilla(*arguments, "auto", program=EMULATED, variables=variables)
    assert result.code == 0, result.error
    assert machine.place.report("b.json")[0]["backend"] == "cpu"
    assert WRONG in result.error
    result = machine.place.armilla(*arguments, "cuda", program=EMULATED, variables=variables)
    assert result.code == 3
    assert WRONG in result.errors()[0]


@pytest.mark.parametrize("words", ["steam=1", *sweep("fails", "row_error=many", "visible=2")])
def test_the_emulated_device_refuses_unknown_words(machine, words):
    result = machine.run(words)
    assert result.code == 2
    assert "ARMILLA_EMULATION: " in result.error

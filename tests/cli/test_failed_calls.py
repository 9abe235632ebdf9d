"""What the program says and leaves where one call of it fails, chosen by a preloaded library (tests/faults/calls). The trials
`calls` of tests/faults draw such calls; here are some that must be told by name."""
import os
import pathlib

import pytest
from conftest import BINARY

from test_campaigns import make_maps

pytestmark = pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="a sanitizer must be loaded first")
LIBRARY = os.environ.get("ARMILLA_CALLS", str(pathlib.Path(BINARY).parents[1] / "lib" / "libarmilla_calls.so"))
CAMPAIGN = """inputs:
  sky: {map: "sims/map_{000..003}.h5"}
steps:
  - analysis: {map: sky, lmax: 12, out: a}
outputs:
  a: {file: "a_{}.fits"}
"""
SINGLE = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 12, out: a}
outputs:
  a: {file: a.fits}
"""
DRAWN = """steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 12, seed: 1, out: a}
  - synthesis:  {alm: a, grid: {healpix: {nside: 8}}, out: map}
outputs:
  map: {file: map.fits}
"""


def run(place, arguments, fault="", file=".", ranks=0, threads=1, rank=0):
    """A run in which a call on this file or folder fails; what failed, and its result."""
    log = place.folder / "fired.log"
    log.unlink(missing_ok=True)
    settings = {"LD_PRELOAD": LIBRARY, "ARMILLA_FAULT_LOG": log, "ARMILLA_FAULT": fault, "ARMILLA_FAULT_RANK": rank,
                "ARMILLA_FAULT_PLACE": os.path.normpath(place.folder.resolve() / file)}
    result = place.armilla(*arguments, ranks=ranks, threads=threads, timeout=40,
                           prefix=("env", *(f"{name}={value}" for name, value in settings.items())))
    lines = log.read_text().splitlines()
    log.unlink()
    return [line for line in lines if line.startswith("fired ")], result


def check_failure(place, fired, result, *parts):
    assert len(fired) == 1 and result.code == 3, result.error
    assert len(result.errors()) == 1 and all(part in result.errors()[0] for part in parts), result.error
    assert not list(place.folder.rglob("*.lock")) and not list(place.folder.rglob("*.partial"))


@pytest.fixture
def half(place):
    """A campaign of which one part is done."""
    make_maps(place)
    place.job(CAMPAIGN)
    result = place.armilla("run", "job.yaml", "--quiet", "--part", "1/2")
    assert result.code == 0, result.error
    return place


@pytest.mark.parametrize("arguments", [["run", "job.yaml", "--quiet"], ["status", "job.yaml"], ["verify", "job.yaml"]],
                         ids=["run", "status", "verify"])
def test_a_journal_that_cannot_be_read_is_named(half, arguments):
    (journal,) = (half.folder / ".armilla").glob("*.jsonl")
    check_failure(half, *run(half, arguments, "read:0:EIO", f".armilla/{journal.name}"), journal.name, "Input/output error")
    first = 1 if arguments[0] == "run" else 0  # after its lock
    fired, result = run(half, arguments, f"read:{first}:EIO", ".armilla")
    assert fired[0].endswith("/.armilla")
    check_failure(half, fired, result, "folder './.armilla' cannot be read (Input/output error)")
    assert half.armilla(*arguments).code == 0


def test_a_lock_that_cannot_be_read_is_held_and_removed(place):
    place.job(SINGLE)
    place.remember()
    log = place.folder / "calls.log"
    result = place.armilla("run", "job.yaml", "--quiet", prefix=("env", f"LD_PRELOAD={LIBRARY}", f"ARMILLA_CALL_LOG={log}"))
    assert result.code == 0, result.error
    (lock,) = {os.path.basename(name) for name in log.read_text().split() if name.endswith(".lock")}
    log.unlink()
    fired, result = run(place, ["run", "job.yaml", "--quiet"], "read:0:EIO", lock)
    assert len(fired) == 1 and result.code == 0, result.error
    assert place.leftovers() == ["a.fits"]


def test_a_report_that_cannot_be_read_is_named(place):
    place.job(SINGLE)
    assert place.armilla("run", "job.yaml", "--quiet", "--report", "report.json").code == 0
    check_failure(place, *run(place, ["verify", "report.json"], "read:0:EIO", "report.json"), "report.json")


@pytest.mark.parametrize("ranks, rank", [(0, 0), (2, 1)])
def test_memory_that_a_thread_does_not_get_is_an_error_of_all_ranks(place, ranks, rank):
    """In parallel regions: of random draws, Legendre functions and rings, in this order."""
    place.job(DRAWN)
    where = {"ranks": ranks, "threads": 2, "rank": rank}
    fired = []
    for number in (0, 30, 90):
        failed, result = run(place, ["run", "job.yaml", "--quiet"], f"alloc_region:{number}:ENOMEM", **where)
        if failed:
            check_failure(place, failed, result, "out of memory")
        fired += failed
    assert len(fired) >= 2

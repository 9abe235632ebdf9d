"""Campaigns with little space or time: what is done does not count again, batches fit the time that is left, a suspended
run is not waited for without end, and a run that does nothing leaves the report of the run that did."""
import fcntl
import json
import os
import subprocess
import time

import pytest
from tiers import sweep

MAPS = 8
OUTPUTS = {"files": 'map: {file: "map_{}.h5"}', "one file": "map: {file: map.h5}"}
# Each map takes 0.1 s or more.
LONG = """steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 24, seed: 3, maps: 8, out: a}
  - synthesis:  {alm: a, grid: {healpix: {nside: 16}}, out: map}
  - analysis:   {map: map, lmax: 24, method: {jacobi: {iterations: 1500, scheme: pixel}}, out: found}
outputs:
  found: {file: "found_{}.fits"}
"""


def job(output="files", nside=64):
    return ("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 8, seed: 3, maps: 8, "
            f"out: a}}\n  - synthesis:  {{alm: a, grid: {{healpix: {{nside: {nside}}}}}, out: map}}\n"
            f"outputs:\n  {OUTPUTS[output]}\n")


def run(place, *arguments, code=0, **more):
    result = place.armilla("run", "job.yaml", *arguments, **more)
    assert result.code == code, result.error
    return result


@pytest.fixture
def disk(place):
    """A function that mounts a file system of that size."""
    folder = place.folder / "disk"
    folder.mkdir()

    def mount(kib):
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", folder],
                                               capture_output=True).returncode != 0:
            pytest.skip("a small tmpfs cannot be mounted here")

    yield mount
    if os.path.ismount(folder):
        subprocess.run(["umount", folder], check=True)


# A map has 1.2 MB, eight have 9.4 MB.
@pytest.mark.parametrize("output", list(OUTPUTS))
def test_the_space_of_maps_that_are_done_does_not_count_again(place, disk, output):
    disk(12000)
    place.job(job(output))
    run(place, "--output-dir", "disk", "--part", "1/2")
    result = run(place, "--output-dir", "disk")
    assert "4 maps were already done" in result.out
    result = run(place, "--output-dir", "disk")
    assert "all 8 maps are already done" in result.out
    if output == "files":
        run(place, "--output-dir", "disk", "--restart")  # each file replaces another


def test_only_the_maps_of_a_part_need_space(place, disk):
    disk(7000)
    place.job(job())
    result = run(place, "--output-dir", "disk", code=3)
    message = result.errors()[0]
    assert "bytes free (" in message and ", but all outputs on it need " in message
    assert "(8 of 8 maps are to be computed)" in message
    run(place, "--output-dir", "disk", "--part", "2/2")
    assert len(list((place.folder / "disk").glob("*.h5"))) == 4


# claims: guarantee resume_campaigns
@pytest.mark.parametrize("groups, ranks", [(1, 0), *sweep((1, 2), (2, 2))])
def test_batches_fit_the_time_that_is_left(place, groups, ranks):
    """All maps make one batch, or one for each group, if there is no limit."""
    place.job(LONG + f"execution: {{map_groups: {groups}}}\n")
    run(place, "--output-dir", "whole", "--report", "whole.json", ranks=ranks)
    assert place.report("whole.json")["campaign"]["batch"] == MAPS // groups
    done, limit = [], 0.3
    while not done or done[-1] < MAPS:
        result = place.armilla("run", "job.yaml", "--output-dir", "parts", "--max-time", f"{limit:.2f}s", ranks=ranks)
        done.append(len(list((place.folder / "parts").glob("*.fits"))))
        assert result.code == (0 if done[-1] == MAPS else 5), result.error
        limit *= 1.3
    assert any(0 < number < MAPS for number in done), done
    for whole in (place.folder / "whole").glob("*.fits"):
        assert whole.read_bytes() == (place.folder / "parts" / whole.name).read_bytes()


def test_a_run_that_does_nothing_keeps_the_report_of_the_run_that_did(place):
    place.job(job(nside=8))
    report = place.folder / "report.json"
    report.write_text(json.dumps({"program": "armilla", "error": {"message": "stopped"}}))
    run(place, "--report", "report.json")
    first = report.read_bytes()
    assert json.loads(first)["campaign"]["maps"] == MAPS
    assert "kept report.json" in run(place, "--report", "report.json").out
    assert report.read_bytes() == first
    run(place, "--report", "other.json")
    assert place.report("other.json")["campaign"]["done_before"] == MAPS
    # A report of other files, and one of a run that failed, are replaced.
    (place.folder / "map_3.h5").unlink()
    run(place, "--set", "steps.0.random_alm.seed=4", "--restart")
    assert "kept" not in run(place, "--set", "steps.0.random_alm.seed=4", "--report", "report.json").out
    assert place.report("report.json")["campaign"]["done_before"] == MAPS


# claims: guarantee lock_wait
def test_a_suspended_run_that_holds_the_lock_is_named(place):
    """The lock is held without signs of life, as by a suspended run."""
    place.job(job(nside=8))
    run(place)
    (journal,) = (place.folder / ".armilla").glob("*.jsonl")
    name = json.loads(journal.read_text().splitlines()[0])["campaign"]
    (place.folder / "map_3.h5").unlink()
    with open(place.folder / ".armilla" / f"{name}.lock", "w") as held:
        held.write("process 7 on host elsewhere")
        held.flush()
        fcntl.lockf(held, fcntl.LOCK_EX)
        start = time.monotonic()
        result = run(place, "--lock-wait", "0.2", code=2, timeout=60)
        assert time.monotonic() - start >= 5
    assert "is held by process 7 on host elsewhere, which has given no sign of life for 5 s" in result.errors()[0]
    assert "waiting for process 7 on host elsewhere" in result.error
    run(place)
    assert (place.folder / "map_3.h5").exists()

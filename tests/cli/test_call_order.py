"""The content of an output file reaches the disk before the file gets its name: the order of system calls, recorded by a
preloaded library (tests/faults/calls)."""
import os
import pathlib

import pytest

from conftest import BINARY, Workplace

pytestmark = pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="a sanitizer must be loaded first")
RECORDER = os.environ.get("ARMILLA_CALLS", str(pathlib.Path(BINARY).parents[1] / "lib" / "libarmilla_calls.so"))

JOB = """
inputs: {sky: {map: sky.h5}}
steps:
  - analysis: {map: sky, lmax: 12, out: alm}
  - spectra: {alm: alm, out: cl}
  - spectra: {alm: alm, out: same_cl}
  - synthesis: {alm: alm, grid: {healpix: {nside: 8}}, out: again}
outputs:
  again: {file: map.fits}
  alm: {file: alm.h5}
  cl: {file: cl.fits}
  same_cl: {file: cl.dat}
"""


def recorded(place, *arguments, ranks=0):
    """(call, path, new name) of each call on files below the folder of the test, in order."""
    log = place.folder / "calls.log"
    result = place.armilla(*arguments, ranks=ranks, prefix=("env", f"LD_PRELOAD={RECORDER}", f"ARMILLA_CALL_LOG={log}"))
    assert result.code == 0, result.error
    root = str(place.folder.resolve())
    calls = []
    for line in log.read_text().splitlines():
        call, path, *target = line.split()
        path, *target = (os.path.normpath(os.path.join(root, name)) for name in (path, *target))
        if path.startswith(root):
            calls.append((call, path, target[0] if target else None))
    return calls


def check_published(calls, place, name):
    """One rename to this name, of a file that was written and then synced; its folder is synced afterwards."""
    target = str(place.folder.resolve() / name)
    at = [i for i, (call, _, to) in enumerate(calls) if call == "rename" and to == target]
    assert len(at) == 1, (name, calls)
    partial = calls[at[0]][1]
    writes = [i for i, (call, path, _) in enumerate(calls) if call == "write" and path == partial]
    syncs = [i for i, (call, path, _) in enumerate(calls) if call == "sync" and path == partial]
    assert writes and syncs, (name, calls)
    assert max(writes) < max(syncs) < at[0], (name, calls)
    assert any(call == "sync" and path == os.path.dirname(target) for call, path, _ in calls[at[0]:]), (name, calls)


# claims: guarantee whole_files
@pytest.mark.parametrize("ranks", [0, pytest.param(3, marks=pytest.mark.sweep)])
def test_outputs_are_synced_before_they_are_renamed(tmp_path, ranks):
    place = Workplace(tmp_path)
    place.job(JOB)
    calls = recorded(place, "run", "job.yaml", "--report", "report.json", ranks=ranks)
    for name in ("map.fits", "alm.h5", "cl.fits", "cl.dat", "report.json"):
        check_published(calls, place, name)

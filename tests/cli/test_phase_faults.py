"""One rank of the program fails in a phase: every rank exits with the code of that error, and the error is said once.
tests/faults/phases tries all phases within one process; here are some of whole runs, chosen by a seed."""
import random
import shutil

import pytest

from conftest import TRIAL
from test_campaigns import make_maps
from tiers import SWEEP

CODES = {"input": 2, "resource": 3, "bad_alloc": 3, "internal": 4}
SINGLE = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis:  {map: sky, lmax: 12, method: {jacobi: {iterations: 1}}, out: found}
  - synthesis: {alm: found, grid: {gauss: {nlat: 14}}, out: map}
  - spectra:   {alm: found, out: cl}
outputs:
  found: {file: found.fits}
  map:   {file: map.h5}
  cl:    {file: cl.dat}
"""
CAMPAIGN = """inputs:
  sky: {map: "sims/map_{000..005}.h5"}
steps:
  - analysis:   {map: sky, lmax: 8, method: {jacobi: {iterations: 1}}, out: found}
  - synthesis:  {alm: found, grid: {healpix: {nside: 8}}, out: map}
  - spectra:    {alm: found, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  found: {file: found.h5}
  map:   {file: "map_{}.fits"}
  stats: {file: stats.h5}
execution: {batch: 1, map_groups: 2}
"""
# Each rank writes its exit code; the launcher sees none, so it ends no rank before its time.
RANK = 'program=$1; shift; "$program" "$@"; echo $? >"$PWD/.code.$OMPI_COMM_WORLD_RANK"'


def run(place, ranks, **variables):
    """A run that finds nothing of those before it."""
    shutil.rmtree(place.folder / ".armilla", ignore_errors=True)
    for name in place.leftovers():
        (place.folder / name).unlink()
    done = place.armilla("run", "job.yaml", "--quiet", ranks=ranks, program=TRIAL, prefix=("bash", "-c", RANK, "bash"),
                         timeout=60, variables=variables)
    codes = [int((place.folder / f".code.{rank}").read_text()) for rank in range(ranks)]
    return done, codes


def count(place, ranks):
    """Calls of the hook [rank][thread] in an undisturbed run."""
    done, codes = run(place, ranks, ARMILLA_TRIAL_COUNT="count")
    assert codes == [0] * ranks, done.error
    counts = [tuple(map(int, (place.folder / f"count.{rank}").read_text().split())) for rank in range(ranks)]
    return counts


# claims: guarantee no_hang, guarantee exit_codes
@pytest.mark.parametrize("text, ranks, kinds", [
    pytest.param(SINGLE, 2, ["input", "bad_alloc"], id="single-2"),
    pytest.param(CAMPAIGN, 3, ["resource", "internal"], id="campaign-3"),
    *(pytest.param(text, ranks, list(CODES), id=f"{name}-{ranks}-all", marks=SWEEP)
      for text, name, numbers in ((SINGLE, "single", (2, 3)), (CAMPAIGN, "campaign", (3, 4))) for ranks in numbers)])
def test_all_ranks_exit_alike(place, text, ranks, kinds):
    make_maps(place)
    place.job(text)
    place.remember()
    counts = count(place, ranks)
    draw = random.Random(7 * ranks + len(text))
    threads = ["main", "files"] if any(files for _, files in counts) else ["main"]
    assert len(threads) == (2 if text is CAMPAIGN else 1)
    for kind in kinds:
        code = CODES[kind]
        for thread in threads if kinds == list(CODES) else [threads[kinds.index(kind) % len(threads)]]:
            calls = [rank[threads.index(thread)] for rank in counts]
            rank = draw.choice([rank for rank in range(ranks) if calls[rank] > 0])
            number = draw.randrange(calls[rank])
            done, codes = run(place, ranks, ARMILLA_TRIAL_FAULT=f"{rank}:{thread}:{number}:{kind}")
            what = f"rank {rank}, thread {thread}, number {number}, {kind}: {done.error}"
            assert codes == [code] * ranks, what
            said = "out of memory" if kind == "bad_alloc" else f"injected fault, thread {threads.index(thread)}, number {number}"
            assert len(done.errors()) == 1 and said in done.errors()[0], what
            assert not [name for name in place.leftovers() if name.startswith(".armilla-")], what


def test_the_program_itself_knows_none_of_it(place):
    place.job(SINGLE)
    done = place.armilla("run", "job.yaml", "--quiet", variables={"ARMILLA_TRIAL_FAULT": "0:main:0:internal"})
    assert done.code == 0, done.error

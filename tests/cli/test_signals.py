"""SIGTERM and SIGINT stop a run at once, SIGUSR1 after the current step, iteration or batch: exit code 5, one message, no
partial file, and files that are there are complete. On one rank and on several, sent to the program, to a rank, to
mpirun. These jobs would not finish within the time limit of a test."""
import os
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest

from conftest import BINARY, environment, ranks_in
from tiers import RANKS, sweep

TERM, INT = signal.SIGTERM, signal.SIGINT
MAPS = 100
# The second analysis is one local stage without an end in sight.
LOCAL = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 8, out: a}
  - analysis: {map: sky, lmax: 16, method: {immediate: {iterations: 1000000}}, out: b}
outputs:
  a: {file: a_0.h5}
  b: {file: b.h5}
"""
# Conjugate gradients: phases, and iterations, on any number of ranks.
FIT = """inputs:
  sky:  {map: wide.h5}
  mask: {map: mask.h5}
steps:
  - analysis: {map: sky, lmax: 8, out: a}
  - analysis: {map: sky, lmax: 160, method: {cg: {tolerance: 1.0e-13, max_iterations: 1000000, mask: mask}}, out: b}
outputs:
  a: {file: a_0.h5}
  b: {file: b.h5}
"""
CAMPAIGN = """inputs:
  sky: {map: "sims/map_{000..099}.h5"}
steps:
  - analysis:   {map: sky, lmax: 16, method: {jacobi: {iterations: 20000}}, out: a}
  - spectra:    {alm: a, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  a:     {file: "a_{}.h5"}
  cl:    {file: cl.h5}
  stats: {file: stats.h5}
execution: {batch: 4}
"""
JOBS = {"local": LOCAL, "fit": FIT, "campaign": CAMPAIGN, "long batches": CAMPAIGN.replace("20000", "1000000")}


def prepare(place, kind):
    place.map("wide.h5", 64, 1)
    place.map("mask.h5", 64, 1, lambda values: values.__setitem__(slice(None), np.arange(49152) > 20000))
    (place.folder / "sims").mkdir()
    place.map("sims/map_000.h5", 8, 1)
    for i in range(1, MAPS):
        os.link(place.folder / "sims/map_000.h5", place.folder / f"sims/map_{i:03}.h5")
    place.job(JOBS[kind])
    place.remember()


def partial_files(place):
    return [path.name for path in place.folder.iterdir() if path.name.startswith(".armilla-")]


def cpu_seconds(pid):
    """Of a process so far."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(process, condition):
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def wait_until_it_computes(process, pids):
    """Each of these processes has worked for another 0.1 s."""
    before = {pid: cpu_seconds(pid) for pid in pids}
    wait_until(process, lambda: all(cpu_seconds(pid) > before[pid] + 0.1 for pid in pids))


class Run:
    """A run that has begun the work which it will be stopped in."""

    def __init__(self, place, kind, ranks, arguments=()):
        prepare(place, kind)
        self.place = place
        # mpirun's default, unlike that of other tests: ranks have a second between SIGTERM and SIGKILL, or until one of
        # them has ended.
        variables = {**environment(), "OMPI_MCA_odls_base_sigkill_timeout": "1"}
        # What ranks say goes to files of their own: an mpirun that kills them may drop what it has not read by then.
        launch = ["mpirun", "-n", str(ranks), "sh", "-c", f'exec "$@" 2>"{place.folder}.said.$OMPI_COMM_WORLD_RANK"', "sh"]
        self.process = subprocess.Popen([*(launch if ranks else []), BINARY, "run", "job.yaml", *arguments],
                                        cwd=place.folder, text=True, env=variables, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        sign = {"campaign": "a_003.h5", "long batches": ".armilla/*.unfinished"}.get(kind, "a_0.h5")
        wait_until(self.process, lambda: list(place.folder.glob(sign)))
        wait_until_it_computes(self.process, self.ranks())

    def ranks(self):
        return ranks_in(self.place.folder)

    def send(self, number, to="start"):
        pids = {"start": [self.process.pid], "all": self.ranks(), "last": self.ranks()[-1:]}[to]
        assert pids
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def end(self, code=5):
        """With one message; the names of the files that are there, which are complete."""
        try:
            _, error = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            for pid in self.ranks():
                os.kill(pid, signal.SIGKILL)
            raise
        assert self.process.returncode == code, error
        for path in sorted(self.place.folder.parent.glob(f"{self.place.folder.name}.said.*")):
            error += path.read_text()
        said = [line for line in error.splitlines() if line.startswith("armilla: ")]
        assert len(said) == 1, error
        self.message = said[0]
        assert partial_files(self.place) == []
        names = self.place.leftovers()
        for name in names:
            with h5py.File(self.place.folder / name) as file:
                assert np.isfinite(file["alm"][:]).all() and (file["alm"][:] != 0).any()
        return names


# claims: guarantee exit_codes
@pytest.mark.parametrize("kind, number", [("local", TERM), ("fit", INT), *sweep(("local", INT), ("fit", TERM))])
def test_the_program_stops_at_once(place, kind, number):
    run = Run(place, kind, 0)
    run.send(number)
    assert run.end() == ["a_0.h5"]
    assert f"stopped by {number.name}: unfinished output files were removed" in run.message


@pytest.mark.parametrize("kind, number, ranks, to", [
    ("local", TERM, 2, "last"), ("fit", INT, 2, "all"),
    *sweep(*[(kind, number, 3, to) for kind in ("local", "fit") for number in (TERM, INT) for to in ("all", "last")])])
def test_ranks_stop_at_once(place, kind, number, ranks, to):
    run = Run(place, kind, ranks)
    run.send(number, to)
    assert run.end() == ["a_0.h5"]
    assert "stopped by SIG" in run.message


@pytest.mark.parametrize("kind, number, ranks", [
    ("campaign", TERM, 2), *sweep(*[(kind, number, 3) for kind in ("local", "campaign") for number in (TERM, INT)])])
def test_mpirun_that_is_told_to_stop_has_its_own_exit_code(place, kind, number, ranks):
    run = Run(place, kind, ranks)
    run.send(number)
    assert all(name.startswith("a_") for name in run.end(code=1))
    assert "stopped by SIGTERM" in run.message


@pytest.mark.parametrize("kind, ranks", [("campaign", 0), ("long batches", 0),
                                         *sweep(("campaign", 3), ("long batches", 3))])
def test_a_campaign_drops_its_batch(place, kind, ranks):
    run = Run(place, kind, ranks)
    run.send(signal.SIGTERM, "all")
    files = run.end()
    assert all(name.startswith("a_") for name in files)
    assert bool(files) == (kind == "campaign")
    assert "stopped by SIGTERM: unfinished output files were removed" in run.message


@pytest.mark.parametrize("ranks,groups,to", [(0, 1, "start"), (2, 2, "last"),
                                             *sweep((3, 1, "start"), (3, 3, "all"), (3, 3, "last"))])
def test_usr1_ends_a_campaign_after_its_batches(place, ranks, groups, to):
    run = Run(place, "campaign", ranks, ["--set", f"execution.map_groups={groups}"])
    run.send(signal.SIGUSR1, to)
    files = run.end()
    assert f"stopped by SIGUSR1: {len(files)} of {MAPS} maps are done" in run.message
    assert 4 <= len(files) < MAPS and len(files) % 4 == 0


@pytest.mark.parametrize("ranks", RANKS)
def test_usr1_ends_a_fit_after_its_iteration(place, ranks):
    run = Run(place, "fit", ranks)
    run.send(signal.SIGUSR1)
    assert run.end() == ["a_0.h5"]
    assert "stopped by SIGUSR1: unfinished output files were removed" in run.message


def test_usr1_in_the_last_step_changes_nothing(place):
    prepare(place, "local")
    place.job(LOCAL.replace("1000000", "25000"))
    run = subprocess.Popen([BINARY, "run", "job.yaml"], cwd=place.folder, env=environment(), stdout=subprocess.PIPE)
    wait_until(run, (place.folder / "a_0.h5").exists)
    wait_until_it_computes(run, [run.pid])  # the last step has begun
    run.send_signal(signal.SIGUSR1)
    run.communicate(timeout=60)
    assert run.returncode == 0
    assert place.leftovers() == ["a_0.h5", "b.h5"]


def test_verbs_without_steps_stop_as_well(place):
    """bench, with a long sweep; SIGUSR1 as the others."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        place.remember()
        run = subprocess.Popen([BINARY, "bench", "--grid", "gauss:64", "--rounds", "1000000", "--json", "bench.json"],
                               cwd=place.folder, text=True, env=environment(), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        assert run.stdout.readline()  # the head of the table
        run.send_signal(number)
        _, error = run.communicate(timeout=60)
        assert run.returncode == 5
        assert f"armilla: stopped by {number.name}: " in error
        assert place.leftovers() == []

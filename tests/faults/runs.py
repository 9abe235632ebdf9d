"""Jobs of fault trials, their reference outputs, and processes that are killed or signalled while they run."""
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

import h5py
import numpy as np

KILL_TIMEOUT = "OMPI_MCA_odls_base_sigkill_timeout"
PATIENCE = 120  # seconds; a run that takes longer hangs
MAPS = 5
# A resumed iteration gives the same bits in the scheme pixel; in others, results differ by rounding.
SINGLE = """version: 1
inputs:
  sky: {{map: sky.h5}}
steps:
  - analysis:  {{map: sky, lmax: 24, method: {{jacobi: {{iterations: {iterations}, scheme: pixel}}}}, out: found}}
  - scale:     {{alm: found, factor: {factor}, out: a}}
  - synthesis: {{alm: a, grid: {{healpix: {{nside: 16}}}}, out: map}}
  - spectra:   {{alm: a, out: cl}}
outputs:
  a:     {{file: a.h5}}
  found: {{file: found.fits}}
  map:   {{file: {map}}}
  cl:    {{file: {spectra}}}
"""
# Shells start background commands with SIGINT ignored, which programs under test would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

MANY = 40
CAMPAIGN = """version: 1
inputs:
  sky: {{map: "sim_{{0..{last}}}.h5"}}
steps:
  - analysis:   {{map: sky, lmax: 24, method: {{jacobi: {{iterations: {iterations}}}}}, out: found}}
  - scale:      {{alm: found, factor: {factor}, out: a}}
  - synthesis:  {{alm: a, grid: {{healpix: {{nside: 16}}}}, out: map}}
  - spectra:    {{alm: a, out: cl}}
  - statistics: {{spectra: cl, out: stats}}
outputs:
  a:     {{file: a.h5}}
  found: {{file: "found_{{}}.h5"}}
  map:   {{file: "map_{{}}.fits"}}
  stats: {{file: stats.h5}}
execution: {{batch: 1}}
"""


def write_map(path, seed):
    with h5py.File(path, "w") as file:
        data = file.create_dataset("map", data=np.random.default_rng(seed).normal(size=(3, 12 * 16 * 16)))
        data.attrs.update({"NSIDE": 16, "ORDERING": "RING", "FIELDS": ["T", "Q", "U"]})


def write_inputs(folder, maps=MAPS):
    write_map(folder / "sky.h5", 0)
    for i in range(maps):
        write_map(folder / f"sim_{i}.h5", 1 + i)


def environment(kills_at_once=True):
    """`kills_at_once`: where a rank fails, mpirun kills the others at once. By default, it asks them to stop first, and
    sleeps for up to two seconds before it looks whether they are gone."""
    variables = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                 "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                 "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1"}
    variables.pop(KILL_TIMEOUT, None)
    return {**variables, KILL_TIMEOUT: "0"} if kills_at_once else variables


class Failure(Exception):
    """What a trial found that must not happen."""


class Job:
    """One job file; jobs with other `outputs` share the names of most outputs, but no lock. `arguments`: of each run."""

    def __init__(self, kind, factor=1, iterations=400, outputs="first", maps=MAPS, arguments=()):
        names = {"first": {"map": "map.h5", "spectra": "cl.fits"}, "second": {"map": "map.h5", "spectra": "cl.dat"}}
        self.kind = kind
        self.maps = maps
        self.arguments = tuple(arguments)
        self.key = (kind, factor, iterations, outputs, maps)
        text = SINGLE if kind == "single" else CAMPAIGN
        self.text = text.format(iterations=iterations, factor=factor, last=maps - 1, **names[outputs])
        self.file = f"{kind}_{factor}_{iterations}_{outputs}_{maps}.yaml"


class Process:
    """A run in its folder; `ranks` = 0 means without mpirun."""

    def __init__(self, binary, folder, job, ranks=0, limit=None, arguments=(), user=None, kills_at_once=True):
        (folder / job.file).write_text(job.text)
        launch = ["mpirun", "-n", str(ranks)] if ranks else []
        self.folder = folder
        self.start = time.monotonic()
        self.process = subprocess.Popen([*launch, binary, "run", job.file, "--quiet", *job.arguments, *arguments],
                                        cwd=folder, text=True, env=environment(kills_at_once), stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, preexec_fn=limit, user=user)

    def wait(self):
        """The exit code; Failure where the run hangs."""
        try:
            self.out, self.error = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill_all()
            raise Failure(f"no end after {PATIENCE} s") from None
        return self.process.returncode

    def ranks(self):
        """Processes of the program that work in the folder, without mpirun."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and os.readlink(entry / "cwd") == str(self.folder) and \
                        os.path.basename(os.readlink(entry / "exe")).startswith("armilla"):
                    found.append(int(entry.name))
            except OSError:
                pass
        return sorted(found)

    def is_root(self, pid):
        """Whether a process is rank 0, which removes the partial files and locks of all ranks."""
        try:
            return b"OMPI_COMM_WORLD_RANK=0" in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            return False

    def send(self, number, target="launcher", rng=None):
        """Signals what was started, or one rank; returns whether there was one to signal."""
        pids = [self.process.pid] if target == "launcher" else self.ranks()
        if not pids or self.process.poll() is not None:
            return False
        pid = pids[0] if rng is None else int(rng.choice(pids))
        self.hit_root = target == "launcher" or self.is_root(pid)
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True

    def wait_until(self, seen):
        """Until seen() is true or the run has ended; Failure where neither happens."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and not seen():
            if time.monotonic() > end:
                self.kill_all()
                raise Failure(f"neither work nor end after {PATIENCE} s")
            time.sleep(0.002)

    def kill_all(self):
        for pid in [self.process.pid, *self.ranks()]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.communicate()

    def wait_for_ranks(self, patience=PATIENCE):
        """Until no rank is left; Failure where one outlives its launcher."""
        end = time.monotonic() + patience
        while self.ranks():
            if time.monotonic() > end:
                raise Failure(f"ranks {self.ranks()} outlive mpirun by {patience} s")
            time.sleep(0.02)


class References:
    """Hashes of the outputs of undisturbed runs, by job, and how long these take."""

    def __init__(self, binary, folder):
        self.binary = binary
        self.folder = folder
        self.hashes = {}
        self.seconds = {}

    def of(self, job):
        if job.key not in self.hashes:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="reference_", dir=self.folder))
            write_inputs(folder, job.maps)
            before = set(folder.iterdir())
            run = Process(self.binary, folder, job)
            if run.wait() != 0:
                raise RuntimeError(f"{job.file} fails undisturbed: {run.error}")
            self.seconds[job.key] = time.monotonic() - run.start
            self.hashes[job.key] = {path.name: digest(path) for path in folder.iterdir()
                                    if path not in before and path.suffix != ".yaml" and path.is_file()}
        return self.hashes[job.key]

    def seconds_of(self, job):
        self.of(job)
        return self.seconds[job.key]


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def check_exit(run, code, allowed):
    if code not in allowed:
        raise Failure(f"exit code {code}, expected one of {allowed}: {run.error[-500:]}")


def check_outputs(folder, allowed, required=()):
    """Each output has the bytes of one of the `allowed` references; those of `required` are there."""
    for name in set().union(*allowed):
        path = folder / name
        if not path.exists():
            if any(name in reference for reference in required):
                raise Failure(f"{name} is missing")
            continue
        if digest(path) not in [reference.get(name) for reference in allowed]:
            raise Failure(f"{name} has {path.stat().st_size} bytes that no run wrote")


def check_no_leftovers(folder, complete=True):
    """Of a campaign, the journal stays, and until it is complete its unfinished files."""
    hidden = sorted(path.name for path in folder.iterdir() if path.name.startswith(".") and path.name != ".armilla")
    if (folder / ".armilla").exists():
        allowed = {".jsonl"} | (set() if complete else {".unfinished", ".spectra", ".checkpoint"})
        hidden += sorted(path.name for path in (folder / ".armilla").iterdir()
                         if path.suffix not in allowed)
    if hidden:
        raise Failure(f"left behind: {', '.join(hidden)}")


def journal_lines(folder, kind):
    """Lines of that kind in all journals of the folder; torn ones are none."""
    found = []
    for path in (folder / ".armilla").glob("*.jsonl"):
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n") and json.loads(line).get("line") == kind:
                found.append(json.loads(line))
    return found


def describe(parameters):
    return json.dumps(parameters, default=str)

"""Trials in which one call of one rank fails: opening, reading, writing, syncing, renaming or closing a file of the job, or a
large allocation. The library tests/faults/calls counts these calls and makes one of them fail, or all from one on."""
import collections
import json
import os
import pathlib
import signal
import subprocess

import numpy as np
from call_jobs import JOBS, Stock, results
from runs import Failure, check_exit, check_no_leftovers

PATIENCE = 45  # seconds; ranks that wait for one that has failed give up after 60
LEAST_BYTES = 4096
CALLS = ["open", "read", "write", "sync", "rename", "close", "allocate", "alloc_fftw", "alloc_hdf5", "alloc_fits",
         "alloc_mpi", "alloc_other", "alloc_region"]
# What these libraries do where an allocation of theirs fails is not Armilla's: see docs/reliability.md.
TRIED = ["open", "read", "write", "sync", "rename", "close", "allocate", "alloc_fits", "alloc_region"]
ERRORS = {"open": ["EIO", "ENOSPC"], "read": ["EIO"], "write": ["EIO", "ENOSPC", "EDQUOT"], "sync": ["EIO", "EDQUOT"],
          "rename": ["EIO", "ENOSPC", "EDQUOT"], "close": ["EIO", "EDQUOT"]}
Cell = collections.namedtuple("Cell", "job rank call count")
Sound = collections.namedtuple("Sound", "out files checksums counts")


class Run:
    """A run of a job in its folder with the library."""

    def __init__(self, stock, job, folder, **variables):
        log = folder.parent / (folder.name + ".calls")
        settings = {"LD_PRELOAD": stock.library, "ARMILLA_FAULT_LOG": log, "ARMILLA_FAULT_PLACE": folder,
                    "ARMILLA_FAULT_BYTES": LEAST_BYTES, **variables}
        prefix = ["mpirun", "-n", str(job.ranks)] if job.ranks else []
        process = subprocess.Popen([*prefix, "env", *(f"{name}={value}" for name, value in settings.items()), stock.binary,
                                    *job.arguments], cwd=folder, text=True, env=stock.environment(folder, job.threads),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            self.out, self.error = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Failure(f"no end after {PATIENCE} s; {log.read_text() if log.exists() else ''}") from None
        self.job = job
        self.code = process.returncode
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        self.fired = [line.split(" ", 3)[1:] for line in lines if line.startswith("fired ")]
        self.counts = {int(line.split()[1]): dict(zip(CALLS, map(int, line.split()[2:])))
                       for line in lines if line.startswith("count ")}


class Calls:
    """The jobs, and the calls of their undisturbed runs. `every`: trials go over all of these calls."""

    def __init__(self, binary, library, root, every=False, names=None, kinds=None):
        self.stock = Stock(binary, str(pathlib.Path(library).resolve()), root)
        self.root = root
        self.every = every
        self.sound = {name: self.sound_of(JOBS[name]) for name in names or JOBS}
        self.cells = [Cell(name, rank, call, counts[call]) for name, sound in self.sound.items()
                      for rank, counts in sorted(sound.counts.items()) for call in kinds or TRIED if counts[call] > 0]

    def sound_of(self, job):
        folder = self.root / f"sound_{job.name}"
        self.stock.prepare(job, folder)
        run = Run(self.stock, job, folder)
        if run.code != job.code:
            raise RuntimeError(f"{job.name} fails undisturbed, exit code {run.code}: {run.error}")
        return Sound(run.out, results(folder), reported(folder, job), run.counts)

    def all_calls(self):
        return sum(cell.count for cell in self.cells)

    def drawn(self, number, seed, rng):
        """The cells take turns in an order of the seed."""
        order = np.random.default_rng(seed).permutation(len(self.cells))
        cell = self.cells[order[number % len(order)]]
        return cell, int(rng.integers(cell.count))

    def numbered(self, number):
        for cell in self.cells:
            if number < cell.count:
                return cell, number
            number -= cell.count
        raise SystemExit(f"there are {self.all_calls()} calls")


def file_names(path, folder, known):
    """Names of which a message about a call on this file must have one."""
    parts = os.path.relpath(path, folder).split(os.sep)
    if parts[0] in (".armilla", "cache", "."):
        return {parts[0], parts[-1], *known}
    return known if parts[-1].startswith(".armilla-") else {parts[-1]}


def check_message(run, folder, known):
    said = [line for line in run.error.splitlines() if line.startswith("armilla: error")]
    if not said or len(said) > (len(run.fired) if run.job.prints else 1) or "only:" in said[0]:
        raise Failure(f"{len(said)} messages, expected one of all ranks: {run.error[-500:]}")
    names = {"memory", *known} if run.fired[0][0].startswith("alloc") else \
        set().union(*(file_names(what, folder, known) for _, _, what in run.fired))
    if not any(name in said[0] for name in names):
        raise Failure(f"{run.fired[0][2]} is not named: {said[0]}")


def check_results(folder, sound, complete):
    found = results(folder)
    others = [name for name, value in found.items() if sound.files.get(name) != value]
    missing = [name for name in sound.files if name not in found]
    if others or (complete and missing):
        raise Failure(f"differ from those of an undisturbed run: {', '.join(others)}; missing: {', '.join(missing)}")


def reported(folder, job):
    """The checksums in the report of a run that succeeded, by file name; empty if the job writes none or is to fail."""
    if job.code != 0 or "--report" not in job.arguments:
        return {}
    try:
        report = json.loads((folder / "report.json").read_text())
        code = report["exit_code"]
        checksums = {os.path.basename(entry["file"]): entry["checksum"] for entry in report["checksums"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"report.json of a run that succeeded: {error!r}") from None
    missing = sorted(set(results(folder)) - set(job.stock) - set(checksums))
    if code != 0 or missing:
        raise Failure(f"report.json of a run that succeeded: exit code {code}, no checksum of {missing}")
    return checksums


def check_cache(folder):
    left = [path.name for path in folder.glob("cache/**/*.partial")]
    if left:
        raise Failure(f"left behind in the cache: {', '.join(left)}")


# claims: trial calls
def calls(context, rng, parameters):
    """One call of one rank fails, or all of its kind from one on."""
    known, folder = context.calls, context.folder
    cell, number = known.numbered(context.number) if known.every else known.drawn(context.number, context.seed, rng)
    number = int(context.pace * number)
    error = str(rng.choice(ERRORS.get(cell.call, ["ENOMEM"])))
    lasts = not known.every and bool(rng.random() < 0.3)
    parameters.update(job=cell.job, rank=cell.rank, call=cell.call, number=number, of=cell.count, error=error, lasts=lasts)
    job, sound = JOBS[cell.job], known.sound[cell.job]
    known.stock.prepare(job, folder)
    run = Run(known.stock, job, folder, ARMILLA_FAULT=f"{cell.call}:{number}{'+' if lasts else ''}:{error}",
              ARMILLA_FAULT_RANK=cell.rank)
    parameters.update(code=run.code, missed=not run.fired, fired=run.fired[0][2] if run.fired else None)
    check_exit(run, run.code, (job.code, 2, 3) if run.fired else (job.code,))
    if run.code != job.code:
        check_message(run, folder, {*sound.files, "report.json"})
    elif job.prints and run.out != sound.out:
        raise Failure(f"exit code {run.code}, but it prints something else: {run.out[-500:]}")
    check_results(folder, sound, complete=run.code == job.code)
    if run.code == job.code == 0 and reported(folder, job) != sound.checksums:
        raise Failure("report.json has other checksums than that of an undisturbed run")
    check_no_leftovers(folder, complete=run.code == 0 and job.again)
    check_cache(folder)
    if job.again and run.code != 0:
        again = Run(known.stock, job, folder)
        check_exit(again, again.code, (0,))
        check_results(folder, sound, complete=True)
        check_no_leftovers(folder)

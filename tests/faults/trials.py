"""Trials: each draws what goes wrong from a random generator, and raises Failure where a promise is broken.

parameters["missed"] tells that the run ended before anything went wrong. Such a trial is repeated with a smaller
context.pace, which scales the moment, so that in the end it hits the run on any machine."""
import os
import resource
import signal
import subprocess
import time

from call_trials import calls
from runs import (MANY, MAPS, Failure, Job, Process, check_exit, check_no_leftovers, check_outputs, journal_lines,
                  write_inputs)


def run_again(context, jobs, allowed):
    """An undisturbed run of each job succeeds and leaves nothing hidden behind."""
    for job in jobs:
        run = Process(context.binary, context.folder, job)
        check_exit(run, run.wait(), (0,))
        check_outputs(context.folder, allowed, [context.references.of(job)])
    check_no_leftovers(context.folder)


def is_locked(folder):
    """Whether a run has begun, and has not ended."""
    return any(path.name.endswith(".lock") for path in folder.iterdir())


# claims: trial race
def race(context, rng, parameters):
    """Two runs write the same names at the same time; one may be killed."""
    kind = str(rng.choice(["single", "campaign"]))
    same_job = bool(rng.random() < 0.3)
    # Campaigns of other settings over the same files are refused unless they restart.
    arguments = ["--restart"] if kind == "campaign" and not same_job else []
    first = Job(kind, factor=1, arguments=arguments)
    second = first if same_job else Job(kind, factor=2, outputs="second", arguments=arguments)
    if kind == "campaign" and not same_job:
        second.text = second.text.replace("stats.h5", "stats.dat")  # another set of files, so no common lock
        second.key += ("dat",)
    killed = int(rng.integers(2)) if rng.random() < 0.4 else None
    delay = float(rng.uniform(0, 0.5))
    parameters.update(kind=kind, same_job=same_job, killed=killed, delay=delay)
    references = [context.references.of(first), context.references.of(second)]
    runs = []
    for job in (first, second):
        runs.append(Process(context.binary, context.folder, job, ranks=int(rng.choice([0, 0, 0, 2]))))
        if len(runs) == 1:
            time.sleep(delay)
    if killed is not None:
        time.sleep(float(rng.uniform(0, 0.5)))
        runs[killed].send(signal.SIGKILL)
    for number, run in enumerate(runs):
        code = run.wait()
        if number != killed:
            check_exit(run, code, (0,))
    for run in runs:
        run.wait_for_ranks()
    survivors = [reference for number, reference in enumerate(references) if number != killed]
    check_outputs(context.folder, references, survivors)
    if killed is None:
        check_no_leftovers(context.folder)
    else:
        run_again(context, [first, second], references)


# claims: trial kill
def kill(context, rng, parameters):
    """mpirun or a rank is killed at any time, mostly after the run has begun."""
    job = Job(str(rng.choice(["single", "campaign"])))
    ranks = int(rng.choice([0, 1, 2, 3]))
    target = "launcher" if ranks == 0 else str(rng.choice(["launcher", "rank"]))
    number = int(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV]))
    reference = context.references.of(job)
    begun = bool(rng.random() < 0.8) or target == "rank"
    moment = context.pace * float(rng.uniform(0, 0.7)) * context.references.seconds_of(job)
    at_once = bool(rng.random() < 0.5)
    parameters.update(job=job.file, ranks=ranks, target=target, signal=number, begun=begun, moment=moment,
                      kills_at_once=at_once)
    run = Process(context.binary, context.folder, job, ranks=ranks, kills_at_once=at_once)
    if begun:
        run.wait_until(lambda: is_locked(context.folder))
    time.sleep(moment)
    hit = run.send(number, target, rng if target == "rank" else None)
    code = parameters["code"] = run.wait()
    run.wait_for_ranks()
    parameters["missed"] = not hit or code == 0
    if not hit:
        check_exit(run, code, (0,))
    elif not at_once and not run.hit_root:
        parameters["cleaned"] = True
        check_no_leftovers(context.folder, complete=False)
    check_outputs(context.folder, [reference])
    run_again(context, [job], [reference])


# claims: trial signals
def signals(context, rng, parameters):
    """A run is asked to stop."""
    job = Job(str(rng.choice(["single", "campaign"])), iterations=int(rng.choice([400, 4000])))
    ranks = int(rng.choice([0, 1, 3]))
    number = int(rng.choice([signal.SIGTERM, signal.SIGINT, signal.SIGUSR1]))
    reference = context.references.of(job)
    moment = context.pace * float(rng.uniform(0, 1.1)) * (context.references.seconds_of(job) + 0.3 * ranks)
    parameters.update(job=job.file, ranks=ranks, signal=number, moment=moment)
    run = Process(context.binary, context.folder, job, ranks=ranks)
    time.sleep(moment)
    locked = is_locked(context.folder)
    sent = time.monotonic()
    run.send(number)
    code = parameters["code"] = run.wait()
    parameters["seconds"] = time.monotonic() - sent
    parameters["missed"] = code == 0
    run.wait_for_ranks()
    # Before the program has its handlers, and for mpirun before its ranks are there, the system's default holds.
    allowed = (0, 5) if ranks == 0 and locked else (0, 1, 5, -number, 128 + number)
    if ranks > 0 and not locked:
        allowed += (-signal.SIGPIPE,)  # of mpirun, which is not ready for signals in its first moments
    check_exit(run, code, allowed)
    check_outputs(context.folder, [reference], [reference] if code == 0 else [])
    if locked and ranks == 0:
        check_no_leftovers(context.folder, complete=code == 0)
    run_again(context, [job], [reference])


class SmallDisk:
    """A file system of `size` bytes on the folder, where the system lets us mount one."""

    def __init__(self, folder, size):
        self.folder = folder
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "armilla-trial", str(folder)]
        self.mounted = subprocess.run(command, capture_output=True).returncode == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)


# claims: trial disk_full
def disk_full(context, rng, parameters):
    """The disk is full before or during the run, or files may not be large enough."""
    job = Job(str(rng.choice(["single", "campaign"])), outputs="first")
    ranks = int(rng.choice([0, 2]))
    reference = context.references.of(job)
    size = int(context.pace * rng.integers(100, 600)) * 1024
    with SmallDisk(context.folder, 3 << 20) as disk:
        parameters.update(job=job.file, ranks=ranks, size=size, mounted=disk.mounted)
        write_inputs(context.folder)
        limit = None
        filler = context.folder / "filler"
        if disk.mounted:
            moment = context.pace * float(rng.uniform(0, 1)) * context.references.seconds_of(job)
        else:
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 8, size // 8))  # noqa: E731
        run = Process(context.binary, context.folder, job, ranks=ranks, limit=limit)
        if disk.mounted:
            time.sleep(moment)
            fill(filler, leave=int(context.pace * rng.integers(0, 200)) * 1024)
        code = parameters["code"] = run.wait()
        parameters["missed"] = code == 0
        check_exit(run, code, (0, 3))
        if code == 3 and not any(word in run.error for word in ("disk", "free", "space", "file size")):
            raise Failure(f"no reason is given: {run.error[-500:]}")
        check_outputs(context.folder, [reference], [reference] if code == 0 else [])
        check_no_leftovers(context.folder, complete=code == 0)
        filler.unlink(missing_ok=True)
        run_again(context, [job], [reference])


def fill(path, leave):
    """Takes all space of the disk but `leave` bytes."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                space = os.statvfs(path)
                count = min(space.f_bavail * space.f_bsize - leave, 1 << 16)
                if count <= 0:
                    return
                file.write(bytes(count))
        except OSError:
            pass


# claims: trial vanish
def vanish(context, rng, parameters):
    """Inputs of a campaign are removed, cut short, or replaced by other bytes while it runs."""
    job = Job("campaign")
    ranks = int(rng.choice([0, 2, 3]))
    policy = str(rng.choice(["stop", "skip"]))
    reference = context.references.of(job)
    victim = context.folder / f"sim_{rng.integers(MAPS)}.h5"
    what = str(rng.choice(["remove", "cut", "garble", "empty"]))
    moment = context.pace * float(rng.uniform(0, 0.8)) * (context.references.seconds_of(job) + 0.2 * ranks)
    parameters.update(ranks=ranks, victim=victim.name, what=what, moment=moment, policy=policy)
    run = Process(context.binary, context.folder, job, ranks=ranks,
                  arguments=["--set", f"execution.on_bad_map={policy}"])
    time.sleep(moment)
    if what == "remove":
        victim.unlink()
    elif what == "cut":
        os.truncate(victim, int(rng.integers(1, victim.stat().st_size)))
    elif what == "empty":
        os.truncate(victim, 0)
    else:
        # Not in place: a map whose numbers change while they are read is another map, which nobody can tell.
        other = context.folder / "other"
        other.write_bytes(rng.bytes(5000))
        other.rename(victim)
    code = parameters["code"] = run.wait()
    run.wait_for_ranks()
    check_exit(run, code, (0, 2, 3))
    names = [name.format(i) for name in ("found_{}.h5", "map_{}.fits") for i in range(MAPS)]
    for name in names:
        check_outputs(context.folder, [{name: reference[name]}])
    parameters["missed"] = all((context.folder / name).exists() for name in names)
    # Spectra of the others are kept where a map was left out.
    check_no_leftovers(context.folder, complete=False)


def complete_maps(folder, reference):
    """Maps whose own files are all there."""
    digits = len(str(MANY - 1))
    return {str(i) for i in range(MANY)
            if all((folder / name).exists() for name in (f"found_{i:0{digits}}.h5", f"map_{i:0{digits}}.fits"))}


# claims: trial resume
def resume(context, rng, parameters):
    """One rank or all of a campaign of many maps are killed; the same command goes on where it was."""
    job = Job("campaign", iterations=400, maps=MANY)
    ranks = int(rng.choice([0, 1, 2, 3]))
    groups = int(rng.choice([1, max(ranks, 1)]))
    batch = int(rng.choice([1, 2, 4]))
    target = context.target or ("all" if ranks < 2 or rng.random() < 1 / 3 else "rank")
    if target == "rank":
        ranks = max(ranks, 2)
    arguments = ["--set", f"execution.map_groups={groups}", "--set", f"execution.batch={batch}"]
    at_once = bool(rng.random() < 0.5)
    write_inputs(context.folder, MANY)
    reference = context.references.of(job)
    # By work that is done, as times differ on busy machines: before the first map, between maps, after the last one.
    after = int(context.pace * rng.integers(0, MANY + 1))
    delay = context.pace * float(rng.uniform(0, {0: 0.6, MANY: 0.01}.get(after, 0.03)))
    parameters.update(ranks=ranks, groups=groups, batch=batch, target=target, after=after, delay=delay,
                      kills_at_once=at_once)
    run = Process(context.binary, context.folder, job, ranks=ranks, arguments=arguments, kills_at_once=at_once)
    run.wait_until(lambda: len(journal_lines(context.folder, "done")) >= after if after else run.ranks())
    time.sleep(delay)
    pids = run.ranks()
    victims = pids if target == "all" else [int(rng.choice(pids))] if pids else []
    hit_root = any(run.is_root(pid) for pid in victims)
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    killed = time.monotonic()
    code = parameters["code"] = run.wait()
    parameters["missed"] = not pids or code == 0
    run.wait_for_ranks(10)
    parameters["seconds"] = time.monotonic() - killed
    if code != 0 and parameters["seconds"] > 10:
        raise Failure(f"the other ranks end after {parameters['seconds']:.1f} s")
    if target == "rank" and victims and not at_once and not hit_root:
        parameters["cleaned"] = True
        check_no_leftovers(context.folder, complete=False)
    check_outputs(context.folder, [reference])
    complete = complete_maps(context.folder, reference)
    done = {line["map"] for line in journal_lines(context.folder, "done")}
    twice = parameters["twice"] = len(complete - done)
    parameters["done"] = len(done)
    if done - complete:
        raise Failure(f"the journal says that {sorted(done - complete)} are done, and their files are not there")
    if twice > batch * groups:
        raise Failure(f"{twice} complete maps are unknown to the journal, and {groups} groups have batches of {batch}")
    again = Process(context.binary, context.folder, job, ranks=int(rng.choice([0, 2])))
    check_exit(again, again.wait(), (0,))
    check_outputs(context.folder, [reference], [reference])
    check_no_leftovers(context.folder)
    lines = [line["map"] for line in journal_lines(context.folder, "done")]
    if len(lines) != MANY or len(set(lines)) != MANY:
        raise Failure(f"the journals have {len(lines)} lines of {len(set(lines))} maps, not one of each of {MANY}")


# claims: trial read_only
def read_only(context, rng, parameters):
    """The folder of the outputs becomes read-only while a campaign runs."""
    job = Job("campaign", iterations=400, maps=MANY)
    write_inputs(context.folder, MANY)
    reference = context.references.of(job)
    after = int(context.pace * rng.integers(1, MANY - 8))  # maps that are done, as times differ on busy machines
    user = 65534 if os.geteuid() == 0 else None  # permissions do not bind root
    parameters.update(after=after, user=user)
    if user is not None:
        os.chmod(context.folder.parent, 0o755)
        os.chmod(context.folder, 0o755)
        os.chown(context.folder, user, -1)
    run = Process(context.binary, context.folder, job, user=user)
    run.wait_until(lambda: is_locked(context.folder) and len(journal_lines(context.folder, "done")) >= after)
    folders = [path for path in (context.folder, context.folder / ".armilla") if path.exists()]
    for path in folders:
        os.chmod(path, 0o555)
    try:
        code = parameters["code"] = run.wait()
        parameters["missed"] = code == 0
        check_exit(run, code, (0, 2, 3))
        if code != 0 and not any(word in run.error for word in ("writable", "permission", "Permission")):
            raise Failure(f"no reason is given: {run.error[-500:]}")
        check_outputs(context.folder, [reference], [reference] if code == 0 else [])
    finally:
        for path in folders:
            os.chmod(path, 0o755)
    again = Process(context.binary, context.folder, job, user=user)
    check_exit(again, again.wait(), (0,))
    check_outputs(context.folder, [reference], [reference])
    # What could not be removed then is removed by the next run.
    check_no_leftovers(context.folder)


TRIALS = {"race": race, "kill": kill, "signals": signals, "disk_full": disk_full, "vanish": vanish, "resume": resume,
          "read_only": read_only, "calls": calls}

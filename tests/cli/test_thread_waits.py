"""Limit of the time for which idle threads spin: set outside batch jobs, unless the user has chosen one or has bound
the threads. GNU OpenMP prints the settings that it has read."""
import os
import pathlib
import re
import subprocess
import time

import pytest
from conftest import BINARY, environment
from tiers import sweep

VARIABLES = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "SLURM_JOB_ID",
             "PBS_JOBID", "LSB_JOBID", "PJM_JOBID", "COBALT_JOBID", "SGE_TASK_ID", "FLUX_JOB_ID", "OAR_JOB_ID",
             "_CONDOR_JOB_AD")
# Of a user who has set nothing.
UNSET = ("env", *(word for name in VARIABLES for word in ("-u", name)))

LOADER = next((path for path in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(path)),
              None)


def built_by_gcc():
    """With another compiler, the program does not limit the spinning."""
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, env=environment()).stdout
    return re.search(r"\b(GCC|GNU)\b", version) is not None


pytestmark = pytest.mark.skipif(not built_by_gcc(), reason="for GCC and GNU OpenMP only")


def settings(place, variables, **options):
    prefix = (*UNSET, *(f"{name}={value}" for name, value in variables.items()))
    return place.armilla(*options.pop("command", ("list", "steps")), threads=2, prefix=prefix,
                         variables={"OMP_DISPLAY_ENV": "verbose"}, **options)


def cores(text):
    """Of a list such as 0,2-3."""
    ranges = [[int(number) for number in part.split("-")] for part in text.split(",")]
    return {core for ends in ranges for core in range(ends[0], ends[-1] + 1)}


@pytest.mark.parametrize("variables, spins", [
    ({}, "1000"),
    ({"OMP_NUM_THREADS": "1"}, None),
    ({"GOMP_SPINCOUNT": "7000"}, "7000"),
    ({"OMP_WAIT_POLICY": "passive"}, "0"),
    ({"SLURM_JOB_ID": "1"}, None),
    ({"PBS_JOBID": "1"}, None),
    ({"OMP_PROC_BIND": "true"}, None),
    ({"OMP_PLACES": "cores"}, None),
    ({"GOMP_CPU_AFFINITY": "0-1"}, None),
])
def test_spin_count(place, variables, spins):
    result = settings(place, variables)
    assert result.code == 0 and "synthesis" in result.out
    (found,) = re.findall(r"GOMP_SPINCOUNT = '(\w+)'", result.error.split("OPENMP DISPLAY ENVIRONMENT BEGIN")[-1])
    assert found == spins if spins else found != "1000"


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
@pytest.mark.parametrize("ranks", [0, *sweep(2)])
@pytest.mark.parametrize("variables, cores_of_thread", [({}, 2), ({"OMP_PROC_BIND": "spread", "OMP_PLACES": "threads"}, 1)])
def test_threads_keep_their_cores(place, variables, cores_of_thread, ranks):
    place.job("""
inputs: {sky: {map: sky.h5}}
steps:
  - analysis: {map: sky, lmax: 16, out: a}
outputs: {a: {file: a.h5}}
""")
    shown = {"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "thread %n on <%A>"}
    result = settings(place, {**variables, **shown}, command=("run", "job.yaml"), ranks=ranks)
    assert result.code == 0, result.error
    found = dict(re.findall(r"thread (\d+) on <(.*?)>", result.error))
    assert len(found) >= 2
    assert len(cores(",".join(found.values()))) >= 2
    assert all((len(cores(text)) == 1) == (cores_of_thread == 1) for text in found.values())


@pytest.mark.parametrize("variables, warns", [({"SLURM_JOB_ID": "1"}, True), ({}, False),
                                              *sweep(({"SLURM_JOB_ID": "1", "OMP_WAIT_POLICY": "passive"}, False),
                                                     ({"SLURM_JOB_ID": "1", "OMP_NUM_THREADS": "1"}, False))])
def test_more_threads_than_cores_are_warned_of_where_they_spin(place, variables, warns):
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 1, out: a}\n"
              "outputs: {a: {file: a.h5}}\n")
    cpus = len(os.sched_getaffinity(0))
    variables = {"OMP_NUM_THREADS": str(cpus + 1), **variables}
    result = place.armilla("run", "job.yaml", prefix=(*UNSET, *(f"{name}={text}" for name, text in variables.items())))
    assert result.code == 0, result.error
    assert (f"1 rank with {cpus + 1} threads share {cpus} CPU" in result.error) == warns, result.error
    assert ("threads spin while they wait" in result.error) == warns


@pytest.mark.skipif(LOADER is None, reason="the dynamic loader is elsewhere")
def test_started_by_the_loader(place):
    """The process is then an argument of the loader, which must not be executed in its place."""
    done = subprocess.run([*UNSET, LOADER, BINARY, "list", "steps"], capture_output=True, text=True, timeout=60,
                          cwd=place.folder, env=environment(2))
    assert done.returncode == 0 and "synthesis" in done.stdout, done.stderr


def test_name_of_the_process(place):
    """The program waits for a job on standard input."""
    program = subprocess.Popen([*UNSET, BINARY, "run", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, cwd=place.folder, env=environment(2))
    process = pathlib.Path(f"/proc/{program.pid}")
    # It executes itself again, with this variable, at its start.
    while b"GOMP_SPINCOUNT=" not in (process / "environ").read_bytes():
        assert program.poll() is None
        time.sleep(0.005)
    found = (process / "comm").read_text()
    program.kill()
    program.wait()
    assert found == "armilla\n"

"""Bad input to transforms raises an exception that says what to do; the process survives."""
import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import random_alm

import armilla

LMAX = 8
ALM = random_alm(LMAX)[0]


@pytest.fixture(scope="module")
def plan():
    return armilla.Transform("gauss:9", LMAX, check_finite=True)


def read_only(values):
    values.flags.writeable = False
    return values


def overlapping():
    memory = np.zeros(1000)
    return memory[:90].view(complex), memory[50:212]


BAD_CALLS = {
    "wrong length": (lambda p: p.synthesis(ALM[1:]), "alm has the shape (44,): the transform needs"),
    "maps for alm": (lambda p: p.synthesis(np.zeros(45)), "alm has dtype float64, but the transform has complex128"),
    "lossy": (lambda p: p.analysis(np.zeros(162, "longdouble")), "pass map.astype(numpy.float64)"),
    "object": (lambda p: p.synthesis(ALM.astype(object)), "alm has dtype object"),
    "none": (lambda p: p.synthesis(None), "alm has the shape ()"),
    "ragged": (lambda p: p.synthesis([[1], [2, 3]]), "alm"),
    "masked list": (lambda p: p.analysis([np.ma.zeros(162)]), "map is a masked array"),
    "masked": (lambda p: p.analysis(np.ma.masked_equal(np.zeros(162), 0)),
               "map is a masked array, whose mask would be lost: set masked values by .filled(0)"),
    "nan": (lambda p: p.analysis(np.full(162, np.nan)), "162 values that are NaN"),
    "out dtype": (lambda p: p.synthesis(ALM, out=np.zeros(162, "f4")), "out has dtype float32: pass"),
    "out shape": (lambda p: p.synthesis(ALM, out=np.zeros(161)), "out has the shape (161,)"),
    "out read-only": (lambda p: p.synthesis(ALM, out=read_only(np.zeros(162))), "out is read-only: pass"),
    "out strides": (lambda p: p.synthesis(ALM, out=np.zeros(324)[::2]), "out is not C-contiguous: pass"),
    "out list": (lambda p: p.synthesis(ALM, out=[0.0] * 162), "out is a list: pass an array of numpy"),
    "weights": (lambda p: p.analysis(np.zeros(162), weights="best"), "weights = 'best': use 'grid', 'ring' or 'pixel'"),
    "no vectors": (lambda p: p.gradient(ALM), "fields=['U', 'V']"),
    "grid": (lambda p: armilla.Transform("healpics:8", 8), "use one of healpix:NSIDE"),
    "grid type": (lambda p: armilla.Transform(8, 8), "grid = 8: use a text such as 'healpix:1024'"),
    "lmax": (lambda p: armilla.Transform("healpix:8", -1), "lmax"),
    "lmax type": (lambda p: armilla.Transform("healpix:8", 2.5), "lmax = 2.5: use an integer"),
    "aliased": (lambda p: armilla.Transform("healpix:8", 30).analysis(np.zeros(768)), "lower it"),
    "half a pair": (lambda p: armilla.Transform("healpix:8", 8, fields=["Q"]), "half of a pair"),
    "fields": (lambda p: armilla.Transform("healpix:8", 8, fields=[1.5]), "use names such as ['T', 'Q', 'U']"),
    "dtype": (lambda p: armilla.Transform("healpix:8", 8, dtype="int32"), "use 'float64' or 'float32'"),
    "threads": (lambda p: armilla.Transform("healpix:8", 8, threads=0), "threads = 0: use 1 or more"),
    "many threads": (lambda p: armilla.Transform("healpix:8", 8, threads=10**6), "use at most 4096"),
    "large integer": (lambda p: armilla.Transform("healpix:8", 2**70), "use an integer of 64 bits"),
    "large spin": (lambda p: armilla.Transform("healpix:8", 8, fields=2**40), "use a spin of 0 or more"),
    "backend type": (lambda p: armilla.Transform("healpix:8", 8, backend=None), "backend = None: use a text"),
    "tolerance type": (lambda p: p.analysis_to_tolerance(np.zeros(162), "x"), "tolerance = 'x': use a number"),
    "backend": (lambda p: armilla.Transform("healpix:8", 8, backend="gpu"), "use one of auto, cuda, cpu"),
    "comm": (lambda p: armilla.Transform("healpix:8", 8, comm=0), "pass a communicator of mpi4py"),
    "points": (lambda p: armilla.PointTransform([0.1, 4.0], [0, 0], 8), "theta"),
    "points shape": (lambda p: armilla.PointTransform([[0.1]], [0], 8), "theta has the shape (1, 1)"),
    "no points": (lambda p: armilla.PointTransform("x", [0], 8), "theta has dtype <U1: pass real numbers"),
    "inverse variance": (lambda p: armilla.PointTransform([1.0], [0], 0).analysis([1.0], inverse_variance=[1, 1]),
                         "inverse_variance has 2 values: pass 1"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_input(plan, name):
    call, text = BAD_CALLS[name]
    with pytest.raises(armilla.InputError) as error:
        call(plan)
    assert text in str(error.value)
    assert isinstance(error.value, ValueError)


def test_out_shares_memory_with_the_argument(plan):
    alm, out = overlapping()
    with pytest.raises(armilla.InputError, match="out shares memory with alm: pass another array, or a copy of alm"):
        plan.synthesis(alm[:45], out=out)


def test_memory_that_does_not_exist():
    with pytest.raises(armilla.ResourceError, match="memory") as error:
        armilla.Transform("healpix:65536", 100000)
    assert isinstance(error.value, MemoryError)


def test_array_of_a_device_for_a_transform_on_cpus(plan):
    class OnDevice:
        shape = (45,)

        def __dlpack_device__(self):
            return 2, 0

    with pytest.raises(armilla.InputError, match="alm is on a GPU, but the transform computes on CPUs: copy"):
        plan.synthesis(OnDevice())


@pytest.mark.parametrize("threads", [1, 2])
def test_use_after_fork(threads):
    # OpenMP would wait forever for threads that do not exist in the child.
    program = f"""
import os, armilla
plan = armilla.Transform("gauss:9", 8, threads={threads})
plan.synthesis(plan.make_alm())
child = os.fork()
if child == 0:
    try:
        plan.synthesis(plan.make_alm())
        os._exit(1)
    except armilla.InputError as error:
        os._exit(2 if "spawn" in str(error) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(program, OMP_NUM_THREADS="1").split() == [str(threads)]


def test_the_program_ends_while_a_daemon_thread_computes():
    # The interpreter does not wait for such threads, and ends those that ask for its lock.
    program = """
import threading, armilla
plan = armilla.Transform("gauss:200", 199, threads=1)
alm, started = plan.make_alm(), threading.Event()
def compute():
    while True:
        started.set()
        plan.synthesis(alm)
threading.Thread(target=compute, daemon=True).start()
started.wait()
"""
    # Its objects are not freed, which nanobind reports.
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=100).returncode == 0


def run(program, **variables):
    # From Python 3.12 on, os.fork() warns of threads.
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100,
                          env={**os.environ, **variables})
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_import_starts_neither_threads_nor_mpi_and_loads_no_optional_packages():
    program = """
import ctypes, numpy, os, sys
def threads(): return len(os.listdir("/proc/self/task"))
before = threads()
import armilla
optional = [name for name in ("healpy", "jax", "mpi4py", "scipy", "xarray", "yaml") if name in sys.modules]
with open("/proc/self/maps") as maps:
    library = next(line.split()[-1] for line in maps if "/libmpi" in line)
is_running = ctypes.c_int(-1)
def check():
    ctypes.CDLL(library).MPI_Initialized(ctypes.byref(is_running))
    return is_running.value
at_import = check()
plan = armilla.Transform("gauss:9", 8, threads=1)
plan.synthesis(plan.make_alm())
print(optional, threads() - before, at_import, check())
"""
    assert run(program, OMP_NUM_THREADS="1").split() == ["[]", "0", "0", "0"]


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="AddressSanitizer keeps released memory")
def test_nothing_leaks():
    program = """
import armilla, numpy
def resident():
    with open("/proc/self/statm") as statm: return int(statm.read().split()[1]) * 4096
plan = armilla.Transform("gauss:9", 8, threads=1)
alm, out = plan.make_alm(), plan.make_map()
def calls(count):
    for _ in range(count):
        plan.synthesis(alm); plan.analysis(out); plan.synthesis(alm, out=out)
        try: plan.synthesis(alm[1:])
        except armilla.InputError: pass
calls(1000)
before = resident()
calls(3000)
for _ in range(100): armilla.Transform("gauss:9", 8, threads=1)
print(resident() - before)
"""
    assert int(run(program)) < 2 << 20  # nanobind reports its leaks on standard error at exit


@pytest.mark.mpi
def test_wrong_arguments_of_one_rank_raise_on_all(world):
    first = world.rank == 0
    plan = armilla.Transform("gauss:9", 8, fields=["U", "V"], comm=world)
    sky, alm = plan.make_map(), plan.make_alm()
    points = armilla.PointTransform([0.1], [0.1], 8, comm=world)
    sky_of_ranks = armilla.Map(sky, plan.grid, fields=["U", "V"], comm=world)
    calls = {
        "use an integer of 64 bits": lambda: armilla.Transform("gauss:9", 2**70 if first else 8, comm=world),
        "backend = 3": lambda: armilla.Transform("gauss:9", 8, backend=3 if first else "cpu", comm=world),
        "weights = 'x'": lambda: plan.analysis(sky, weights="x" if first else "grid"),
        "iterations = 'x'": lambda: plan.analysis(sky, iterations="x" if first else 1),
        "tolerance = 'x'": lambda: plan.analysis_to_tolerance(sky, "x" if first else 1e-5),
        "radius = 'x'": lambda: plan.vector_fields(alm, radius="x" if first else 1.0),
        "axes = 'x'": lambda: plan.vector_fields(alm, axes="x" if first else "east_north"),
        "regularise = 'x'": lambda: points.analysis(np.ones(1), regularise="x" if first else 0),
        "accuracy = 'x'": lambda: armilla.PointTransform([0.1], [0.1], 8, accuracy="x" if first else None, comm=world),
        "execution": lambda: armilla.analysis(sky_of_ranks, lmax=8, execution=5 if first else {}),
        "keep = 3": lambda: armilla.run({"steps": []}, keep=3 if first else [], comm=world),
        "precision": lambda: armilla.read("a.h5", comm=world, precision="x" if first else "double", sort="map"),
        "3 is no path": lambda: sky_of_ranks.write(3 if first else "a.h5"),
        "fields =": lambda: armilla.Map.from_pixels(world, "healpix:1", np.arange(12) if first else [], np.ones(12 if first else 0),
                                                    fields=["T", "X"] if first else "T"),
    }
    if world.size > 1:
        calls["pass the same arguments"] = lambda: armilla.Transform("gauss:9", 8, dtype="f4" if first else "f8", comm=world)
        calls["PixelRedistribution: rank"] = lambda: armilla.PixelRedistribution("gauss:9" if first else "gauss:8", [1], world)
    for text, call in calls.items():
        with pytest.raises(armilla.InputError, match=text):
            call()


@pytest.mark.mpi
def test_communicators(world):
    from mpi4py import MPI

    copy = world.Dup()
    plan = armilla.Transform("healpix:4", 8, comm=copy)
    address = MPI._addressof(copy)
    with pytest.raises(armilla.InputError) as error:
        armilla._armilla.Communicator.from_mpi4py(address, "Another MPI 1.0")
    own = MPI.Get_library_version().splitlines()[0].split(",")[0]
    assert "Another MPI 1.0" in str(error.value) and own in str(error.value)
    copy.Free()
    with pytest.raises(armilla.InputError, match="was freed"):
        plan.synthesis(plan.make_alm())
    with pytest.raises(armilla.InputError, match="has been freed"):
        armilla.Transform("healpix:4", 8, comm=copy)


@pytest.mark.parametrize("copied", [pickle.dumps, copy.copy], ids=["pickle", "copy"])
def test_plans_are_not_copied(copied, plan):
    with pytest.raises(armilla.InputError, match="make a Transform in each process"):
        copied(plan)


def test_arguments_that_would_be_rounded_are_refused():
    with pytest.raises(armilla.InputError, match="whole numbers"):
        armilla.Grid.from_rings([1.0], [0.0], [4.7])
    with pytest.raises(armilla.InputError, match="real numbers"):
        armilla.PointTransform([1.0 + 1j], [0.0], 4)
    with pytest.raises(armilla.InputError, match="masked"):
        armilla.PointTransform(np.ma.masked_array([1.0], [True]), [0.0], 4)


def test_arrays_that_are_not_aligned_are_copied():
    plan = armilla.Transform("gauss:5", 4)
    values = np.frombuffer(bytes(1 + 8 * plan.map_shape[-1]), np.uint8)[1:].view(float)
    assert not values.flags.aligned
    np.testing.assert_array_equal(plan.analysis(values), 0)


@pytest.mark.parametrize("threads, text", [(0, "use 1 or more"), (10**6, "use at most 4096"), (2**70, "64 bits")])
def test_numbers_of_threads_that_would_end_the_process_are_refused(threads, text):
    with pytest.raises(armilla.InputError, match=text):
        armilla.Transform("gauss:5", 4, threads=threads)

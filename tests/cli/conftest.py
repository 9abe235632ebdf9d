"""Runs the program as a user does: mpirun, a job file in a fresh folder, exit code and what it said."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile

import h5py
import numpy as np
import pytest

SOURCE = pathlib.Path(os.environ.get("ARMILLA_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
DATA = SOURCE / "tests" / "data"
BINARY = os.environ.get("ARMILLA_BINARY", str(SOURCE / "build" / "bin" / "armilla"))
# The program on the emulated device.
EMULATED = os.environ.get("ARMILLA_EMULATED_BINARY", BINARY + "_emulated")

# The program with faults in phases and a lower level of MPI threads (tests/faults/phases).
TRIAL = os.environ.get("ARMILLA_TRIAL_BINARY", BINARY + "_trial")

# [MiB] that AddressSanitizer adds to the memory of a small run (tests/CMakeLists.txt sets its options).
SANITIZER_MEMORY = 400 if "ASAN_OPTIONS" in os.environ else 0

# Shells start background commands with SIGINT ignored, which programs under test would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Open MPI keeps a folder for each process here. Under the shared one in /tmp, tests that run side by side end
# MPI_Init now and then, where one removes the common parent while another makes its own folder below it.
SESSIONS = tempfile.TemporaryDirectory(prefix="mpi.")


def pytest_configure(config):
    config.addinivalue_line("markers", "sweep: of the second tier, which scripts/test.sh --all runs")


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout
        self.error = done.stderr

    def errors(self):
        """Lines that the program said about what went wrong."""
        return [line for line in self.error.splitlines() if line.startswith("armilla: error")]


def environment(threads=1):
    """Of a run. mpirun does not sleep, for up to two seconds, before it looks whether ranks that failed are gone; MPI
    does not search for network devices, which takes 0.2 s, nor starts a daemon for a process without mpirun."""
    return {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive",
            "OMPI_MCA_odls_base_sigkill_timeout": "0", "OMPI_MCA_orte_tmpdir_base": SESSIONS.name,
            "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "^openib,ofi,uct,usnic", "OMPI_MCA_ess_singleton_isolated": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none",
            "OMPI_MCA_mpi_yield_when_idle": "1"}


def ranks_in(folder):
    """Process ids of the program in that folder, ascending."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "cwd") == str(folder) and \
                    os.path.basename(os.readlink(entry / "exe")).startswith("armilla"):
                found.append(int(entry.name))
        except OSError:
            pass
    return sorted(found)


def listed(texts):
    """The strings of an attribute that is an array of them, as one text."""
    return ",".join(texts)


class Workplace:
    """A folder with the files that jobs of tests need."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        lines = ["# L TT EE BB TE"] + [f"{l} {1000 / l} {40 / l} {1 / l} {50 / l}" for l in range(2, 65)]
        (self.folder / "dl.dat").write_text("\n".join(lines) + "\n")
        self.map("sky.h5", 8, 3)

    def map(self, name, nside, components, change=None, **attributes):
        """A map in HDF5; `change` edits the numbers, attributes are added or, where None, left out."""
        values = np.random.default_rng(7).normal(size=(components, 12 * nside * nside))
        if change:
            change(values)
        said = {"NSIDE": nside, "ORDERING": "RING", "FIELDS": ["T", "Q", "U"][:components], **attributes}
        with h5py.File(self.folder / name, "w") as file:
            data = file.create_dataset("map", data=values)
            for key, value in said.items():
                if value is not None:
                    data.attrs[key] = value
        return values

    def job(self, text, name="job.yaml"):
        (self.folder / name).write_text("version: 1\n" + text)

    def armilla(self, *arguments, ranks=0, threads=1, prefix=(), timeout=120, program=BINARY, variables={}):
        """Runs the program; ranks = 0 means without mpirun. `prefix` starts each rank; `variables` of the environment."""
        launch = ["mpirun", "-n", str(ranks)] if ranks else []
        done = subprocess.run([*launch, *prefix, program, *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, timeout=timeout, env={**environment(threads), **variables})
        return Result(done)

    def report(self, name):
        return json.loads((self.folder / name).read_text())

    def leftovers(self):
        """Files that are neither inputs nor job, nor the journal of campaigns."""
        return sorted(path.name for path in self.folder.iterdir() if path.name not in self.known | {".armilla"})

    def remember(self):
        self.known = {path.name for path in self.folder.iterdir()}


@pytest.fixture
def place(tmp_path):
    return Workplace(tmp_path)

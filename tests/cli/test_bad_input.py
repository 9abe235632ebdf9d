"""What a bad job looks like from outside: one case for each phase of a run, on one rank and on three. The exit code is 2 or
3, one message says what is wrong, where, and what to do, and no rank hangs (every run has a time limit). The messages of
jobs are in tests/job, which asks for them without starting a process."""
import os
import subprocess

import h5py
import numpy as np
import pytest

from tiers import RANKS, sweep

ANALYSIS = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 16, out: a}
outputs:
  a: {file: a.h5}
"""


def refused(place, ranks, *parts, code=2, arguments=(), prefix=()):
    """The job ends with that code and one message that holds all parts, and leaves no file behind."""
    place.remember()
    result = place.armilla("run", "job.yaml", *arguments, ranks=ranks, prefix=prefix)
    assert result.code == code, result.error
    assert len(result.errors()) == 1, result.error
    for part in parts:
        assert part in result.errors()[0]
    assert place.leftovers() == []


@pytest.mark.parametrize("ranks", [0, 3])
class TestEachPhase:
    def test_parse(self, place, ranks):
        place.job(ANALYSIS.replace("lmax", "lmx"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis: unknown key 'lmx': did you mean 'lmax'?")

    def test_headers(self, place, ranks):
        place.map("sky.h5", 8, 1, NSIDE=16)
        place.job(ANALYSIS)
        refused(place, ranks, "job.yaml:3: inputs.sky: ", "sky.h5", "1 x 768 values", "healpix nside 16 has 3072 pixels")

    def test_plan(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 24"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.lmax = 24 exceeds 3 nside - 1 = 23 of map 'sky' (aliased): lower "
                "lmax, or set allow_aliasing: true")

    def test_places_of_outputs(self, place, ranks):
        place.job(ANALYSIS.replace("a.h5", "/proc/a.h5"))
        refused(place, ranks, "job.yaml:7: outputs.a: '/proc/a.h5' cannot be written", "the folder '/proc' is not writable")

    def test_space(self, place, ranks):
        disk = place.folder / "disk"
        disk.mkdir()
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                                               capture_output=True).returncode != 0:
            pytest.skip("a small tmpfs cannot be mounted here")
        try:
            place.job(ANALYSIS.replace("a.h5", "disk/a.h5").replace("lmax: 16", "lmax: 300, allow_aliasing: true"))
            refused(place, ranks, "outputs.a: the file system of folder", "61440 bytes free (",
                    ", but all outputs on it need ", code=3)  # the lock has 4 KiB
            assert list(disk.iterdir()) == []
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_read(self, place, ranks):
        """Each rank reads its own part; the bad pixels are in two of them."""
        def spoil(values):
            values[0, [3, 700]] = np.nan
            values[0, [1, 2, 400]] = -1.6375e30
        place.map("sky.h5", 8, 1, spoil)
        place.job(ANALYSIS)
        refused(place, ranks, "job.yaml:3: inputs.sky", "sky.h5", "has 2 NaN or infinite and 3 bad or missing pixels",
                "bad_data: zero")

    def test_compute(self, place, ranks):
        place.job(ANALYSIS.replace("lmax: 16", "lmax: 16, method: {cg: {max_iterations: 4}}"))
        refused(place, ranks, "job.yaml:5: steps[0].analysis.method.cg: the analysis did not converge",
                "after 4 iterations: raise method.cg.max_iterations or method.cg.tolerance, lower lmax, or set "
                "method.cg.allow_unconverged: true")

    @pytest.mark.parametrize("name", ["copy.h5", *sweep("copy.fits")])
    def test_write(self, place, ranks, name):
        """A limit on the length of files, for the ranks alone, simulates a full disk. It leaves MPI room for the files
        that several ranks share: 20 MiB, and a map of 25 MB."""
        nside, blocks = (512, 20480) if ranks else (128, 1024)
        place.map("sky.h5", nside, 1)
        place.job(f"inputs:\n  sky: {{map: sky.h5}}\noutputs:\n  sky: {{file: {name}}}\n")
        refused(place, ranks, name, code=3, prefix=("bash", "-c", f'ulimit -f {blocks}; exec "$@"', "-"))


def test_iau_polarisation_is_converted(place):
    """U changes its sign on read; what is written is COSMO."""
    values = place.map("iau.h5", 8, 3, POLCCONV="IAU")
    place.job("inputs:\n  sky: {map: iau.h5}\noutputs:\n  sky: {file: cosmo.h5}\n")
    assert place.armilla("run", "job.yaml").code == 0
    with h5py.File(place.folder / "cosmo.h5") as file:
        written = file["map"]
        assert written.attrs["POLCCONV"] in ("COSMO", b"COSMO")
        assert np.array_equal(written[:], values * np.array([[1], [1], [-1]]))


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("arguments, part", [
    (["run", "job.yaml", "--sett", "a=b"], "--sett"),
    (["convert", "sky.h5", "a.h5", "--ordering", "sideways"], "sideways"),
    *sweep((["run"], "job is required"), (["transform"], "unknown verb 'transform'"), (["view", "sky.h5"], "--output is required")),
])
def test_mistakes_on_the_command_line(place, ranks, arguments, part):
    result = place.armilla(*arguments, ranks=ranks)
    assert result.code == 2
    assert len(result.errors()) == 1
    assert part in result.errors()[0]


@pytest.mark.parametrize("arguments", [["inspect", "none.h5"], ["convert", "none.h5", "b.h5"], ["view", "none.h5", "-o", "a.png"]])
def test_errors_of_files_come_from_all_verbs(place, arguments):
    result = place.armilla(*arguments)
    assert result.code == 2
    assert "none.h5" in result.errors()[0]

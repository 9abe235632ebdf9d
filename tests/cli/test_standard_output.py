"""Standard output that cannot be written is an error of its own; what was written to files stays."""
import os
import subprocess

import pytest

from conftest import BINARY, environment
from tiers import sweep

JOB = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 16, out: a}
outputs:
  a: {file: a.h5}
"""
VERBS = [["run", "job.yaml"], ["run", "job.yaml", "--dry-run"], ["inspect", "sky.h5"], ["--version"], ["--help"],
         ["run", "--help"], ["bench", "--grid", "gauss:16", "--rounds", "1", "--json", "b.json"]]
MESSAGE = "armilla: error: standard output cannot be written ({}): redirect it elsewhere"


def shell(place, arguments, redirection, ranks=0):
    launch = f"mpirun -n {ranks} sh -c '{BINARY} \"$@\" {redirection}' sh" if ranks else BINARY
    end = "" if ranks else redirection
    return subprocess.run(f"{launch} {' '.join(arguments)} {end}", shell=True, cwd=place.folder, text=True,
                          capture_output=True, timeout=120, env=environment())


FULL, CLOSED = ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor")


# claims: guarantee exit_codes
@pytest.mark.parametrize("arguments, redirection, reason", [
    *((verb, *FULL) for verb in VERBS), (VERBS[2], *CLOSED), *sweep(*((verb, *CLOSED) for verb in VERBS if verb != VERBS[2]))])
def test_is_an_error(place, arguments, redirection, reason):
    place.job(JOB)
    place.remember()
    result = shell(place, arguments, redirection)
    assert result.returncode == 3
    assert MESSAGE.format(reason) in result.stderr
    files = {"run job.yaml": ["a.h5"], "bench --grid": ["b.json"]}.get(" ".join(arguments[:2]), [])
    assert place.leftovers() == ([] if "--dry-run" in arguments else files)


@pytest.mark.parametrize("ranks", [2, *sweep(3)])
def test_on_several_ranks(place, ranks):
    place.job(JOB)
    place.remember()
    result = shell(place, ["run", "job.yaml"], "> /dev/full", ranks=ranks)
    assert result.returncode == 3
    assert MESSAGE.format("No space left on device") in result.stderr
    assert place.leftovers() == ["a.h5"]


def test_a_pipe_without_a_reader_ends_quietly(place):
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([BINARY, "inspect", "sky.h5"], cwd=place.folder, text=True, stdout=writer, stderr=subprocess.PIPE,
                            env=environment(), timeout=60)
    os.close(writer)
    assert result.returncode == 0 and result.stderr == ""


@pytest.mark.parametrize("arguments", [["convert", "sky.h5", "out.fits"], ["view", "sky.h5", "-o", "out.png", "--width", "200"],
                                       ["run", "job.yaml", "--quiet"]], ids=lambda arguments: arguments[0])
def test_is_not_needed_by_verbs_that_print_nothing(place, arguments):
    """And no output file takes its place."""
    place.job(JOB)
    for redirection in ("> /dev/full", "<&- >&- 2>&-"):
        assert shell(place, arguments, redirection).returncode == 0
    assert place.armilla("inspect", "a.h5" if arguments[0] == "run" else "sky.h5").code == 0


@pytest.mark.parametrize("arguments,code", [(["run", "none.yaml"], 2), (["inspect", "none.h5"], 2), (["--nosuch"], 2),
                                            (["run", "job.yaml", "--memory-limit", "1K"], 3)])
@pytest.mark.parametrize("redirection", ["2> /dev/full", *sweep("2>&-")])
def test_the_exit_code_tells_where_standard_error_cannot(place, arguments, code, redirection):
    place.job(JOB)
    place.remember()
    assert shell(place, arguments, redirection).returncode == code
    assert place.leftovers() == []

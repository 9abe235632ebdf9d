"""Two runs that write the same files at the same time, and outputs that must not be replaced."""
import os
import pathlib
import signal
import subprocess
import time

import pytest
from conftest import BINARY, environment

JOB = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n"
       "  - analysis: {map: sky, lmax: 12, method: {jacobi: {iterations: %d}}, out: a}\n"
       "outputs:\n  a: {file: %s}\n")


def start(place, *arguments, **variables):
    return subprocess.Popen([BINARY, "run", *arguments], cwd=place.folder, text=True, env={**environment(), **variables},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def wait_for_lock(place, patience=60):
    """The lock file of a run, once it is held."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = [path for path in place.folder.glob(".armilla-*.lock") if path.stat().st_size > 0]
        if found:
            return found[0]
        time.sleep(0.005)
    raise AssertionError("no lock file")


def hidden(place):
    return sorted(path.name for path in place.folder.iterdir() if path.name.startswith("."))


@pytest.fixture
def long_job(place):
    """A job of some seconds."""
    place.map("sky.h5", 64, 3)
    place.job(JOB % (400, "a.h5"))
    return place


def test_the_second_run_of_a_job_waits_for_the_first(long_job):
    first = start(long_job, "job.yaml", "--set", "steps.0.analysis.lmax=95")
    wait_for_lock(long_job)
    second = long_job.armilla("run", "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=0")
    assert first.poll() is not None, "the second run finished before the first"
    assert (first.wait(), second.code) == (0, 0), second.error
    assert hidden(long_job) == []


def test_after_30_seconds_the_second_run_names_the_holder(long_job):
    first = start(long_job, "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=1000000")
    try:
        wait_for_lock(long_job)
        begin = time.monotonic()
        second = long_job.armilla("run", "job.yaml", ranks=2)
        assert time.monotonic() - begin >= 30
        assert second.code == 2
        line = second.errors()[0]
        for part in ("are being written by the run of", "job.yaml", f"process {first.pid}", ".lock"):
            assert part in line
    finally:
        first.kill()
        first.communicate()
    assert not (long_job.folder / "a.h5").exists()


def test_a_run_that_waits_says_so_and_can_be_stopped(long_job):
    first = start(long_job, "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=1000000")
    try:
        wait_for_lock(long_job)
        second = start(long_job, "job.yaml")
        time.sleep(2.5)
        begin = time.monotonic()
        second.send_signal(signal.SIGUSR1)
        error = second.communicate(timeout=20)[1]
        assert second.returncode == 5 and time.monotonic() - begin < 5
        assert "waiting for up to 30 s: the same outputs are being written by the run of" in error
    finally:
        first.kill()
        first.communicate()


def test_jobs_with_other_outputs_do_not_wait(long_job):
    first = start(long_job, "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=1000000")
    try:
        wait_for_lock(long_job)
        begin = time.monotonic()
        other = long_job.armilla("run", "job.yaml", "--set", "outputs.a.file=b.h5", "--set",
                                 "steps.0.analysis.method.jacobi.iterations=0")
        assert other.code == 0, other.error
        assert time.monotonic() - begin < 25
        assert first.poll() is None
    finally:
        first.kill()
        first.communicate()


def test_a_killed_run_is_cleaned_up_by_the_next(long_job):
    first = start(long_job, "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=1000000")
    lock = wait_for_lock(long_job)
    first.kill()
    first.communicate()
    mark = lock.name[len(".armilla-"):-len(".lock")]
    (long_job.folder / f".armilla-{mark}-0123456789abcdef.partial").write_bytes(b"x")
    (long_job.folder / ".armilla-0123456789abcdef-0123456789abcdef.partial").write_bytes(b"of another job")
    result = long_job.armilla("run", "job.yaml", "--set", "steps.0.analysis.method.jacobi.iterations=0")
    assert result.code == 0, result.error
    assert "1 partial files of an interrupted run" in result.error
    assert hidden(long_job) == [".armilla-0123456789abcdef-0123456789abcdef.partial"]


def test_the_lock_file_is_gone_after_errors_too(place):
    place.job(JOB % (0, "a.h5"))
    place.map("sky.h5", 8, 3, lambda values: values.__setitem__((0, 0), float("nan")))
    assert place.armilla("run", "job.yaml", ranks=3).code == 2
    assert hidden(place) == []


@pytest.mark.parametrize("ranks", [1, 3])
def test_special_files_are_not_replaced(place, ranks):
    os.mkfifo(place.folder / "fifo.h5")
    (place.folder / "null.fits").symlink_to("/dev/null")
    place.job(JOB % (0, "a.h5"))
    for name, kind in (("fifo.h5", "a FIFO"), ("null.fits", "a device")):
        for mode in ([], ["--dry-run"]):
            result = place.armilla("run", "job.yaml", "--set", f"outputs.a.file={name}", *mode, ranks=ranks)
            assert result.code == 2
            assert f"outputs.a: '{name}' cannot be written: it is {kind}" in result.errors()[0]
    result = place.armilla("run", "job.yaml", "--report", "/dev/null", ranks=ranks)
    assert result.code == 2
    assert "--report: '/dev/null' cannot be written: it is a device" in result.errors()[0]
    assert pathlib.Path("/dev/null").is_char_device()


def test_pictures_and_conversions_do_not_replace_special_files(place):
    os.mkfifo(place.folder / "fifo.png")
    os.mkfifo(place.folder / "fifo.h5")
    for arguments in (["view", "sky.h5", "-o", "fifo.png"], ["convert", "sky.h5", "fifo.h5"]):
        result = place.armilla(*arguments)
        assert result.code == 2
        assert "it is a FIFO" in result.errors()[0]


def test_a_symbolic_link_stays_and_its_target_is_written(place):
    (place.folder / "data").mkdir()
    (place.folder / "a.h5").symlink_to("data/real.h5")
    place.job(JOB % (0, "a.h5"))
    assert place.armilla("run", "job.yaml", ranks=2).code == 0
    assert (place.folder / "a.h5").is_symlink()
    assert (place.folder / "data" / "real.h5").stat().st_size > 1000


def test_names_and_paths_up_to_the_limit_work_and_others_are_refused_in_the_dry_run(place):
    place.job(JOB % (0, "a.h5"))
    deep = "/".join(["d" * 200] * 6)
    (place.folder / deep).mkdir(parents=True)
    for name, code in (("n" * 250 + ".h5", 0), ("n" * 250 + ".fits", 0), ("n" * 253 + ".h5", 2), (deep + "/a.h5", 0),
                       (deep + "/a.fits", 2)):
        for mode in (["--dry-run"], []):
            result = place.armilla("run", "job.yaml", "--set", f"outputs.a.file={name}", *mode, ranks=2)
            assert result.code == code, f"{name} {mode}: {result.error}"
            if code:
                assert "cannot be" in result.errors()[0]
            elif not mode:
                assert (place.folder / name).stat().st_size > 1000
                assert place.armilla("inspect", name).code == 0

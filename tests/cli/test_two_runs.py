"""Two runs that write the same files at the same time, and outputs that must not be replaced."""
import contextlib
import os
import pathlib
import signal
import subprocess
import time

import pytest
from conftest import BINARY, environment
from tiers import RANKS

JOB = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n"
       "  - analysis: {map: sky, lmax: 12, method: {jacobi: {iterations: %d}}, out: a}\n"
       "outputs:\n  a: {file: %s}\n")
ENDLESS = ["--set", "steps.0.analysis.method.jacobi.iterations=1000000"]
QUICK = ["--set", "steps.0.analysis.method.jacobi.iterations=0"]


def start(place, *arguments):
    return subprocess.Popen([BINARY, "run", "job.yaml", *arguments], cwd=place.folder, text=True, env=environment(),
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


@contextlib.contextmanager
def holder(place, *arguments):
    """A run that holds the lock of its outputs and is suspended."""
    run = start(place, *arguments)
    try:
        wait_for_lock(place)
        run.send_signal(signal.SIGSTOP)
        assert run.poll() is None
        yield run
    finally:
        run.kill()
        run.communicate()


def wait_until_it_says(run, text):
    for line in run.stderr:
        if text in line:
            return line
    raise AssertionError(f"'{text}' was not printed")


def hidden(place):
    return sorted(path.name for path in place.folder.iterdir() if path.name.startswith("."))


@pytest.fixture
def long_job(place):
    """A job of a second."""
    place.map("sky.h5", 64, 3)
    place.job(JOB % (200, "a.h5"))
    return place


# claims: guarantee lock_wait
def test_the_second_run_of_a_job_waits_for_the_first(long_job):
    with holder(long_job, "--set", "steps.0.analysis.lmax=95") as first:
        second = start(long_job, *QUICK)
        wait_until_it_says(second, "waiting for up to 30 s: the same outputs are being written by the run of")
        assert not (long_job.folder / "a.h5").exists()
        first.send_signal(signal.SIGCONT)
        assert first.wait() == 0
        _, error = second.communicate(timeout=60)
        assert second.returncode == 0, error
    assert hidden(long_job) == []


# claims: guarantee lock_wait, guarantee exit_codes
@pytest.mark.parametrize("ranks", RANKS)
def test_after_the_wait_the_second_run_names_the_holder(long_job, ranks):
    with holder(long_job, *ENDLESS) as first:
        for seconds in ("0", "0.2"):
            second = long_job.armilla("run", "job.yaml", "--lock-wait", seconds, ranks=ranks)
            assert second.code == 2
            line = second.errors()[0]
            for part in ("are being written by the run of", "job.yaml", f"process {first.pid}", ".lock"):
                assert part in line
    assert not (long_job.folder / "a.h5").exists()


@pytest.mark.parametrize("text", ["-1", "soon", "inf"])
def test_bad_waits_are_refused(place, text):
    result = place.armilla("run", "job.yaml", f"--lock-wait={text}")
    assert result.code == 2 and f"'{text}' is not a valid number of seconds" in result.error


def test_a_run_that_waits_can_be_stopped(long_job):
    with holder(long_job, *ENDLESS):
        second = start(long_job)
        wait_until_it_says(second, "waiting for up to 30 s")
        second.send_signal(signal.SIGUSR1)
        _, error = second.communicate(timeout=60)
        assert second.returncode == 5, error  # 2 after the wait


def test_jobs_with_other_outputs_do_not_wait(long_job):
    with holder(long_job, *ENDLESS) as first:
        other = long_job.armilla("run", "job.yaml", "--set", "outputs.a.file=b.h5", *QUICK, "--lock-wait", "0")
        assert other.code == 0, other.error
        assert first.poll() is None


# claims: guarantee clean_up
def test_a_killed_run_is_cleaned_up_by_the_next(long_job):
    first = start(long_job, *ENDLESS)
    lock = wait_for_lock(long_job)
    first.kill()
    first.communicate()
    mark = lock.name[len(".armilla-"):-len(".lock")]
    (long_job.folder / f".armilla-{mark}-0123456789abcdef.partial").write_bytes(b"x")
    (long_job.folder / ".armilla-0123456789abcdef-0123456789abcdef.partial").write_bytes(b"of another job")
    result = long_job.armilla("run", "job.yaml", *QUICK)
    assert result.code == 0, result.error
    assert "1 partial files of an interrupted run" in result.error
    assert hidden(long_job) == [".armilla-0123456789abcdef-0123456789abcdef.partial"]


def test_the_lock_file_is_gone_after_errors_too(place):
    place.job(JOB % (0, "a.h5"))
    place.map("sky.h5", 8, 3, lambda values: values.__setitem__((0, 0), float("nan")))
    assert place.armilla("run", "job.yaml", ranks=2).code == 2
    assert hidden(place) == []


# claims: guarantee special_files
@pytest.mark.parametrize("ranks", RANKS)
def test_special_files_are_not_replaced(place, ranks):
    """tests/job has FIFOs and reports."""
    (place.folder / "null.fits").symlink_to("/dev/null")
    place.job(JOB % (0, "null.fits"))
    for mode in ([], ["--dry-run"]):
        result = place.armilla("run", "job.yaml", *mode, ranks=ranks)
        assert result.code == 2
        assert "outputs.a: 'null.fits' cannot be written: it is a device" in result.errors()[0]
    assert pathlib.Path("/dev/null").is_char_device()


def test_pictures_and_conversions_do_not_replace_special_files(place):
    os.mkfifo(place.folder / "fifo.png")
    os.mkfifo(place.folder / "fifo.h5")
    for arguments in (["view", "sky.h5", "-o", "fifo.png", "--width", "200"], ["convert", "sky.h5", "fifo.h5"]):
        result = place.armilla(*arguments)
        assert result.code == 2
        assert "it is a FIFO" in result.errors()[0]


def test_a_symbolic_link_stays_and_its_target_is_written(place):
    (place.folder / "data").mkdir()
    (place.folder / "a.h5").symlink_to("data/real.h5")
    place.job(JOB % (0, "a.h5"))
    assert place.armilla("run", "job.yaml").code == 0
    assert (place.folder / "a.h5").is_symlink()
    assert (place.folder / "data" / "real.h5").stat().st_size > 1000


def test_names_and_paths_up_to_the_limit_work_and_others_are_refused_in_the_dry_run(place):
    place.job(JOB % (0, "a.h5"))
    deep = "/".join(["d" * 200] * 6)
    (place.folder / deep).mkdir(parents=True)
    for name, code in (("n" * 250 + ".h5", 0), ("n" * 250 + ".fits", 0), ("n" * 253 + ".h5", 2), (deep + "/a.h5", 0),
                       (deep + "/a.fits", 2)):
        result = place.armilla("run", "job.yaml", "--set", f"outputs.a.file={name}", *["--dry-run"][:code])
        assert result.code == code, f"{name}: {result.error}"
        if code:
            assert "cannot be" in result.errors()[0]
        else:
            assert (place.folder / name).stat().st_size > 1000
            assert place.armilla("inspect", name).code == 0

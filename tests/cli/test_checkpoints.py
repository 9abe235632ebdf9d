"""Iterations of a job of one map that was stopped or killed go on from a checkpoint, with the result of an undisturbed run;
bad checkpoints are told and replaced."""
import json
import os
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BINARY, Workplace, environment
from tiers import sweep

MAPS = """inputs:
  sky:  {map: sky.h5}
  mask: {map: mask.h5}
steps:
  - analysis: {map: sky, lmax: 44, method: METHOD, out: a}
outputs:
  a: {file: a.h5}
"""
POINTS = """inputs:
  x: {values: x.h5}
steps:
  - analysis_at: {values: x, lmax: 44, method: METHOD, out: a}
outputs:
  a: {file: a.h5}
"""
FIT = "{SOLVER: {tolerance: 1.0e-13, max_iterations: 150, allow_unconverged: true, mask: mask}}"
JOBS = {
    "cg": MAPS.replace("METHOD", FIT.replace("SOLVER", "cg")),
    # To the end, as it goes on by a new round.
    "lsmr": MAPS.replace("METHOD", "{lsmr: {tolerance: 1.0e-10, max_iterations: 1000}}"),
    "pixel": MAPS.replace("METHOD", "{jacobi: {iterations: 150, scheme: pixel}}"),
    "ring": MAPS.replace("METHOD", "{jacobi: {iterations: 150, scheme: ring}}"),
    "points": POINTS.replace("METHOD", FIT.replace("SOLVER", "cg").replace(", mask: mask", "")),
}
EXACT = {"cg", "pixel", "points"}
ALWAYS = ["--set", "execution.checkpoint_minutes=1.0e-9"]


def prepare(place):
    draw = np.random.default_rng(5)
    place.map("sky.h5", 16, 3, change=lambda values: values.__setitem__(slice(None), draw.normal(size=values.shape)))
    place.map("mask.h5", 16, 1, change=lambda values: values.__setitem__(slice(None), np.arange(values.size) % 2250 > 500))
    with h5py.File(place.folder / "x.h5", "w") as file:
        file["theta"] = np.arccos(draw.uniform(-1, 1, 7500))
        file["phi"] = draw.uniform(0, 2 * np.pi, 7500)
        file["values"] = draw.normal(size=(1, 7500))
    return place


@pytest.fixture
def fit(place):
    return prepare(place)


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """A job that was killed and has a checkpoint."""
    place = prepare(Workplace(tmp_path_factory.mktemp("killed")))
    place.job(JOBS["pixel"])
    interrupt(place, signal.SIGKILL)
    for path in (place.folder / ".armilla").glob("*.partial"):
        path.unlink()  # a run in a copy of the folder does not know it as its own
    return place


@pytest.fixture
def interrupted(killed, tmp_path):
    shutil.copytree(killed.folder, tmp_path / "interrupted")
    place = Workplace(tmp_path / "interrupted")  # with a sky.h5 of its own
    shutil.copy2(killed.folder / "sky.h5", place.folder)
    return place


def checkpoint(place):
    found = list((place.folder / ".armilla").glob("*.checkpoint")) if (place.folder / ".armilla").exists() else []
    return found[0] if found else None


def iterations_of(file):
    with h5py.File(file) as state:
        return json.loads(bytes(state["about"][()]))["iterations"]


def iterations(place):
    status = place.armilla("status", "job.yaml", "--json")
    assert status.code == 0, status.error
    (entry,) = json.loads(status.out)["checkpoints"]
    assert entry["job"] == str(place.folder / "job.yaml") and entry["step"].startswith("steps[0].analysis")
    assert entry["iterations"] == iterations_of(checkpoint(place))
    return entry["iterations"]


def interrupt(place, how):
    """Runs the job, and ends it when it has kept a state of three iterations or more; its exit code and stderr."""
    process = subprocess.Popen([BINARY, "run", "job.yaml", *ALWAYS], cwd=place.folder, env=environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (checkpoint(place) and iterations_of(checkpoint(place)) >= 3):
        time.sleep(0.002)
    process.send_signal(how)
    error = process.communicate(timeout=60)[1]
    return process.returncode, error


def run(place, *arguments, ranks=0, code=0):
    result = place.armilla("run", "job.yaml", *arguments, ranks=ranks)
    assert result.code == code, result.error
    return result


def coefficients(place):
    with h5py.File(place.folder / "a.h5") as file:
        return file["alm"][()]


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Function that returns bytes and coefficients of an undisturbed run."""
    found = {}

    def results(kind):
        if kind not in found:
            place = prepare(Workplace(tmp_path_factory.mktemp(kind)))
            place.job(JOBS[kind])
            run(place)
            assert not (place.folder / ".armilla").exists()
            found[kind] = (place.folder / "a.h5").read_bytes(), coefficients(place)
        return found[kind]

    return results


# (kind, how it is interrupted, ranks of the next run). Sums over points may differ by rounding where other ranks hold them.
INTERRUPTED = [("cg", signal.SIGKILL, 2), ("lsmr", signal.SIGUSR1, 0), ("pixel", signal.SIGKILL, 0), ("ring", signal.SIGUSR1, 0),
               ("points", signal.SIGUSR1, 0)]
OTHERS = [(kind, how, 0 if kind == "points" else 3) for kind in JOBS for how in (signal.SIGUSR1, signal.SIGKILL)]


# claims: guarantee resume_iterations, checkpoint analysis_at with cg, checkpoint jacobi by pixels
# claims: checkpoint jacobi by rings, checkpoint lsmr, checkpoint cg
@pytest.mark.parametrize("kind, how, ranks", INTERRUPTED + sweep(*(case for case in OTHERS if case not in INTERRUPTED)))
def test_iterations_go_on_where_they_were(fit, reference, kind, how, ranks):
    first, values = reference(kind)
    fit.job(JOBS[kind])
    code, error = interrupt(fit, how)
    assert code == (5 if how == signal.SIGUSR1 else -signal.SIGKILL), error
    done = iterations(fit)
    assert done >= 3 and not (fit.folder / "a.h5").exists()
    if how == signal.SIGUSR1:
        assert f"will resume at iteration {done} when the same command is run again" in error
    again = run(fit, "--report", "report.json", ranks=ranks)
    assert f"resuming at iteration {done} from" in again.error
    assert fit.report("report.json")["resumed"][0]["iterations"] == done
    if kind in EXACT:
        assert (fit.folder / "a.h5").read_bytes() == first
    found = coefficients(fit)
    scale = np.abs(values).max()
    assert np.abs(found - values).max() < (1e-6 if kind == "lsmr" else 1e-9) * scale
    assert not (fit.folder / ".armilla").exists()


# claims: guarantee other_settings
def test_a_state_of_other_settings_is_told_and_replaced(interrupted):
    again = run(interrupted, "--set", "steps.0.analysis.lmax=40")
    assert "is not used and iterations start from the beginning: steps.0.analysis.lmax was 44, now 40" in again.error
    assert "resuming at iteration" not in again.error and not (interrupted.folder / ".armilla").exists()


def test_restart_begins_anew(interrupted):
    again = run(interrupted, "--restart")
    assert "resuming at iteration" not in again.error and "not used" not in again.error


@pytest.mark.parametrize("damage", ["torn", "bit", *sweep("text", "empty")])
def test_a_damaged_state_is_told_and_the_run_begins_anew(interrupted, damage):
    file = checkpoint(interrupted)
    whole = file.read_bytes()
    if damage == "bit":
        with h5py.File(file, "r+") as state:
            values = state["alm"][()]
            values[0, 1, 700] += 1e-9
            state["alm"][...] = values
    else:
        file.write_bytes({"torn": whole[: len(whole) // 2], "text": b"no HDF5", "empty": b""}[damage])
    status = interrupted.armilla("status", "job.yaml")
    assert status.code == 0 and (damage == "bit" or "cannot read a checkpoint" in status.out)
    again = run(interrupted)
    assert f"'{os.path.join('./.armilla', file.name)}' is not used and iterations start from the beginning" in again.error
    assert not (interrupted.folder / ".armilla").exists()


def test_where_none_can_be_written_the_run_goes_on(fit):
    fit.job(JOBS["pixel"])
    (fit.folder / ".armilla").write_text("a file where the folder should be")
    result = run(fit, *ALWAYS)
    assert "could not write a checkpoint" in result.error
    assert (fit.folder / "a.h5").exists()


def test_the_token_changes_with_iterations(fit):
    fit.job(JOBS["pixel"])
    (fit.folder / ".armilla").mkdir()

    def token():
        return fit.armilla("status", "job.yaml", "--token").out

    before = token()
    interrupt(fit, signal.SIGKILL)
    between = token()
    assert between != before and token() == between


def test_steps_keep_their_own(fit):
    """A run that repeats the first solver does not lose the state of the second one."""
    two = JOBS["pixel"].replace("out: a}\n", "out: first}\n  - analysis: {map: sky, lmax: 40, method: "
                                "{jacobi: {iterations: 150, scheme: pixel}}, out: a}\n")
    fit.job(two)
    run(fit)
    whole = (fit.folder / "a.h5").read_bytes()
    (fit.folder / "a.h5").unlink()
    process = subprocess.Popen([BINARY, "run", "job.yaml", *ALWAYS], cwd=fit.folder, env=environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and len(list(fit.folder.glob(".armilla/*-1.checkpoint"))) == 0:
        time.sleep(0.002)
    process.kill()
    process.wait()
    entries = json.loads(fit.armilla("status", "job.yaml", "--json").out)["checkpoints"]
    assert [entry["step"] for entry in entries] == ["steps[0].analysis", "steps[1].analysis"]
    again = run(fit)
    assert "steps[0].analysis: resuming at iteration 149" in again.error
    assert "steps[1].analysis: resuming at iteration" in again.error
    assert (fit.folder / "a.h5").read_bytes() == whole


def test_campaigns_have_none(fit):
    (fit.folder / "sims").mkdir()
    for i in range(3):
        (fit.folder / f"sims/{i}.h5").write_bytes((fit.folder / "sky.h5").read_bytes())
    fit.job(JOBS["pixel"].replace("sky.h5", '"sims/{0..2}.h5"').replace("file: a.h5", 'file: "a_{}.h5"'))
    run(fit, *ALWAYS)
    assert not checkpoint(fit)

"""armilla plan --sbatch: the command that submits a job."""
import json
import os
import pathlib
import re
import shlex
import shutil

import pytest
from conftest import BINARY

TRANSFORM = ("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 40, fields: [T, E, B], seed: 3, out: a}\n"
             "  - synthesis: {alm: a, grid: {gauss: {nlat: 48}}, out: m}\noutputs:\n  m: {file: m.h5}\n"
             "execution: {backend: cpu}\n")
CAMPAIGN = ("inputs:\n  sky: {map: \"sky_{0..5}.h5\"}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
            "outputs:\n  a: {file: \"a_{}.h5\"}\nexecution: {backend: cpu, batch: 3, map_groups: 1}\n")


@pytest.fixture
def prepared(place):
    for number in range(6):
        place.map(f"sky_{number}.h5", 8, 1)
    return place


def command(place, *arguments, variables={}):
    """The words of the line, and the warnings."""
    result = place.armilla("plan", "job.yaml", "--sbatch", *arguments, variables={"ARMILLA_CACHE_DIR": "cache", **variables})
    assert result.code == 0, result.error
    assert result.out.count("\n") == 1
    return shlex.split(result.out), result.error


def value(words, option):
    (one,) = [word.removeprefix(option + "=") for word in words if word.startswith(option + "=")]
    return one


def batch_seconds(place, *arguments):
    result = place.armilla("plan", "job.yaml", "--json", *arguments, variables={"ARMILLA_CACHE_DIR": "cache"})
    times = json.loads(result.out)["campaign"]["batch_seconds"]
    return times["work"] + times["read"] + times["write"]


def test_the_line_asks_for_the_ranks_of_the_plan(prepared):
    prepared.job(TRANSFORM)
    words, warnings = command(prepared, "--ranks", "16", "--ranks-per-node", "4", "--threads", "8", "--gpus-per-node", "2")
    assert words[:5] == ["sbatch", "--nodes=4", "--ntasks=16", "--ntasks-per-node=4", "--cpus-per-task=8"]
    assert re.fullmatch("[1-9][0-9]*M", value(words, "--mem"))
    assert value(words, "--time") == "6"  # 5 minutes for the start, and a run below one minute
    assert value(words, "--gpus-per-node") == "2"
    assert words[-1] == "job.yaml"
    assert warnings == ""


@pytest.mark.parametrize("job, name", [(TRANSFORM, "transform.sbatch"), (CAMPAIGN, "campaign.sbatch")])
def test_the_script_exists(prepared, job, name):
    prepared.job(job)
    words, _ = command(prepared, "--ranks", "2")
    script = pathlib.Path(words[-2])
    assert script.is_absolute() and script.is_file() and script.name == name
    assert (script.parent / "launch.sh").is_file()


def test_scripts_of_the_user_come_first(prepared):
    prepared.job(TRANSFORM)
    own = prepared.folder / "own scripts"
    own.mkdir()
    (own / "transform.sbatch").touch()
    for scripts in (str(own), own.name):
        words, _ = command(prepared, "--ranks", "2", variables={"ARMILLA_SCRIPTS": scripts})
        assert words[-2] == str(own / "transform.sbatch")
    prepared.job(CAMPAIGN)  # has no script there
    words, _ = command(prepared, "--ranks", "2", variables={"ARMILLA_SCRIPTS": str(own)})
    assert os.path.isfile(words[-2])


def test_words_are_quoted_for_the_shell(prepared):
    prepared.job(TRANSFORM)
    words, _ = command(prepared, "--ranks", "2", "--set", "outputs.m.file=it's a map.h5", "--output-dir", "my results")
    assert words[-4:] == ["--set", "outputs.m.file=it's a map.h5", "--output-dir", "my results"]


def test_a_transform_has_the_signal_of_its_script(prepared):
    prepared.job(TRANSFORM)
    words, _ = command(prepared, "--ranks", "2")
    assert not any(word.startswith("--signal") for word in words)


def test_a_campaign_is_told_to_stop_before_its_last_batch(prepared):
    prepared.job(CAMPAIGN)
    slow = ("--ranks", "2", "--file-rate", "1k")
    seconds = batch_seconds(prepared, *slow)
    assert seconds > 30
    words, _ = command(prepared, *slow)
    notice = int(value(words, "--signal").removeprefix("B:USR1@"))
    assert 2 * seconds + 60 <= notice < 2 * seconds + 62  # twice the forecast, and a minute in which Slurm may be early
    assert 60 * int(value(words, "--time")) > notice
    words, _ = command(prepared, "--ranks", "2")  # batches of milliseconds
    assert value(words, "--signal") == "B:USR1@120"
    words, _ = command(prepared, "--ranks", "2", "--file-rate", "1")  # 9 days
    assert value(words, "--signal") == "B:USR1@65535"


def test_the_time_limit_of_the_queue_is_the_most_that_is_asked_for(prepared):
    prepared.job(CAMPAIGN)
    slow = ("--ranks", "2", "--file-rate", "1k")
    free, _ = command(prepared, *slow)
    assert int(value(free, "--time")) == 10  # 5 minutes for the start, and twice 2.2 minutes
    words, warnings = command(prepared, *slow, "--time-limit", "9m")
    assert (value(words, "--time"), warnings) == ("9", "")
    words, warnings = command(prepared, *slow, "--time-limit", "1-00:00:00")
    assert (value(words, "--time"), warnings) == ("10", "")


def test_a_batch_longer_than_the_time_limit_is_warned_of(prepared):
    prepared.job(CAMPAIGN)
    slow = ("--ranks", "2", "--file-rate", "1k")
    words, warnings = command(prepared, *slow, "--time-limit", "7m")  # 2 minutes after the start, for twice 66 s
    assert value(words, "--time") == "7"
    warning, note = warnings.splitlines()
    assert "warning: the predicted time of a batch of 3 maps is 1.1 minutes, or 2.2 minutes with a margin of 2." in warning
    assert "A --time-limit of 7.0 minutes leaves 2.0 minutes after 5 minutes for the start" in warning
    assert warning.endswith(": add --set execution.batch=2, or give a longer --time-limit")
    assert re.search("note: the predicted time of the run is [0-9.]+ minutes, so it takes about 2 jobs of 7.0 minutes", note)
    _, warnings = command(prepared, *slow, "--time-limit", "7m", "--set", "execution.batch=2")
    assert "warning" not in warnings and "about 2 jobs" in warnings
    _, warnings = command(prepared, *slow, "--time-limit", "5m")
    assert "leaves 0.0 minutes after 5 minutes" in warnings and "use more ranks for each map" in warnings


def test_a_run_longer_than_the_time_limit_is_warned_of(prepared):
    prepared.job(TRANSFORM)
    words, warnings = command(prepared, "--ranks", "2", "--fma-rate", "1k", "--time-limit", "10m")
    assert value(words, "--time") == "10"
    assert re.search("warning: the predicted time of the run is .* leaves 5.0 minutes .*: give more --ranks, or a longer "
                     "--time-limit\n", warnings)


def test_the_scripts_are_looked_for_before_the_plan(prepared):
    prepared.job("not a job")
    shutil.copy(BINARY, prepared.folder / "elsewhere")
    result = prepared.armilla("plan", "job.yaml", "--ranks", "2", "--sbatch", program=str(prepared.folder / "elsewhere"),
                              variables={"ARMILLA_SCRIPTS": ""})
    assert result.code == 2 and "set ARMILLA_SCRIPTS to its folder" in result.error


def test_a_missing_output_folder_is_created_by_the_run(prepared):
    prepared.job(TRANSFORM)
    _, warnings = command(prepared, "--ranks", "2", "--set", "outputs.m.file=missing/m.h5")
    assert warnings == ""
    assert "outputs.m: the run creates the folder 'missing'" in prepared.armilla(
        "plan", "job.yaml", "--ranks", "2", "--set", "outputs.m.file=missing/m.h5").out
    _, warnings = command(prepared, "--ranks", "2", "--set", "outputs.m.file=missing/m.h5", "--output-dir", "new")
    assert warnings == ""

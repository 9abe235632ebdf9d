"""The journal of campaigns: what a run did, the next one skips, and what is written is the same, bit for bit, as if nothing
had come in between. Parts, restarts, limits of time, status and verification."""
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BINARY, environment, ranks_in

MAPS = 12
JOB = """inputs:
  sky:  {map: "sims/map_{000..011}.h5"}
  mask: {map: mask.h5}
steps:
  - mask:       {map: sky, mask: mask, out: cut}
  - analysis:   {map: cut, lmax: 12, method: {jacobi: {iterations: 2}}, out: a}
  - synthesis:  {alm: a, grid: {healpix: {nside: 8}}, out: map}
  - spectra:    {alm: a, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  map:   {file: "map_{}.fits"}
  a:     {file: a.h5}
  cl:    {file: cl.h5}
  stats: {file: stats.h5}
execution: {batch: 2}
"""
SLOW = ["--set", "steps.1.analysis.method.jacobi.iterations=20000", "--set", "execution.batch=1"]


def make_map(place, number, seed=None, nside=8):
    draw = np.random.default_rng(number if seed is None else seed)
    place.map(f"sims/map_{number:03}.h5", nside, 3,
              change=lambda values: values.__setitem__(slice(None), draw.normal(size=values.shape)))


@pytest.fixture
def campaign(place):
    (place.folder / "sims").mkdir()
    for i in range(MAPS):
        make_map(place, i)
    place.map("mask.h5", 8, 1, change=lambda values: values.__setitem__(slice(None), np.arange(values.size) % 7 > 0))
    place.job(JOB)
    place.remember()
    return place


def run(place, *arguments, ranks=0, code=0, **more):
    result = place.armilla("run", "job.yaml", *arguments, ranks=ranks, **more)
    assert result.code == code, result.error
    return result


def report_of(place, *arguments, **more):
    run(place, "--report", "report.json", *arguments, **more)
    return place.report("report.json")["campaign"]


def contents(place):
    return {name: (place.folder / name).read_bytes() for name in place.leftovers() if name != "report.json"}


def hidden(place):
    """What lies in the folder of the journal besides journals and FFT plans."""
    return sorted(path.name for path in (place.folder / ".armilla").iterdir()
                  if path.suffix != ".jsonl" and not path.name.startswith("wisdom"))


def status(place, *arguments):
    result = place.armilla("status", "job.yaml", *arguments)
    assert result.code == 0, result.error
    return result.out


def status_json(place):
    (one,) = json.loads(status(place, "--json"))["campaigns"]
    return one


def lines(place, kind):
    found = []
    for path in (place.folder / ".armilla").glob("*.jsonl"):
        for line in path.read_text().splitlines(keepends=True):
            if line.endswith("\n") and json.loads(line).get("line") == kind:
                found.append(json.loads(line))
    return found


def undisturbed(place, *arguments):
    """The files of a run in one go, which are gone afterwards."""
    run(place, *arguments)
    files = contents(place)
    for name in place.leftovers():
        (place.folder / name).unlink()
    for path in (place.folder / ".armilla").iterdir():
        path.unlink()
    (place.folder / ".armilla").rmdir()
    return files


class Background:
    """A run that goes on until enough maps are done."""

    def __init__(self, place, *arguments, ranks=0, done=0):
        launch = ["mpirun", "-n", str(ranks)] if ranks else []
        self.place = place
        self.process = subprocess.Popen([*launch, BINARY, "run", "job.yaml", *arguments], cwd=place.folder, text=True,
                                        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 60
        while len(lines(place, "done")) < done if (place.folder / ".armilla").exists() else True:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.01)

    def ranks(self):
        return ranks_in(self.place.folder)

    def kill(self, everyone=True):
        for pid in self.ranks() if everyone else self.ranks()[-1:]:
            os.kill(pid, signal.SIGKILL)
        return self.wait()

    def wait(self):
        out, error = self.process.communicate(timeout=60)
        end = time.monotonic() + 10
        while self.ranks():
            assert time.monotonic() < end, "ranks outlive the launcher"
            time.sleep(0.02)
        self.error = error
        return self.process.returncode


def test_the_same_command_again_has_nothing_to_do(campaign):
    run(campaign)
    first = contents(campaign)
    stamps = {name: (campaign.folder / name).stat().st_mtime_ns for name in first}
    assert hidden(campaign) == []
    for ranks in (0, 3):
        result = run(campaign, ranks=ranks)
        assert f"all {MAPS} maps are already done: there is nothing to compute" in result.out
    assert contents(campaign) == first
    assert {name: (campaign.folder / name).stat().st_mtime_ns for name in first} == stamps
    assert len(list((campaign.folder / ".armilla").glob("*.jsonl"))) == 1  # runs that did nothing leave none
    told = run(campaign, "--dry-run").out
    assert f"all {MAPS} maps are already done" in told


@pytest.mark.parametrize("ranks, groups, everyone", [(0, 1, True), (3, 3, True), (3, 3, False), (3, 1, False), (7, 3, True)])
def test_a_killed_run_is_continued(campaign, ranks, groups, everyone):
    slow = [*SLOW, "--set", f"execution.map_groups={groups}"]
    first = undisturbed(campaign, *slow)
    begun = Background(campaign, *slow, ranks=ranks, done=3)
    assert begun.kill(everyone) != 0
    done = {line["map"] for line in lines(campaign, "done")}
    assert 3 <= len(done) < MAPS
    assert not (campaign.folder / "a.h5").exists() and not (campaign.folder / "stats.h5").exists()
    assert {path.suffix for path in (campaign.folder / ".armilla").iterdir()} >= {".unfinished", ".spectra"}
    # Other ranks and batches: no part of the key.
    report = report_of(campaign, *slow, "--set", "execution.batch=3", ranks=2)
    assert report["done_before"] == len(done) and report["maps"] == MAPS - len(done)
    assert contents(campaign) == first
    assert hidden(campaign) == []
    again = [line["map"] for line in lines(campaign, "done")]
    assert len(again) == MAPS and set(again) >= done


def test_a_torn_last_line_is_ignored_and_others_are_kept(campaign):
    run(campaign)
    first = contents(campaign)
    (journal,) = (campaign.folder / ".armilla").glob("*.jsonl")
    text = journal.read_text().splitlines(keepends=True)
    cut = next(i for i, line in enumerate(text) if '"map":"007"' in line)
    journal.write_text("".join(text[:cut]) + text[cut][:50])
    # Files of all maps are complete, but no line says so any more: all maps are computed again.
    assert report_of(campaign)["done_before"] == 0
    assert contents(campaign) == first
    campaign.job(JOB.replace("  a:     {file: a.h5}\n  cl:    {file: cl.h5}\n  stats: {file: stats.h5}\n", "")
                 .replace("map_{}", "own_{}"))
    run(campaign)
    own = contents(campaign)
    (journal,) = [path for path in (campaign.folder / ".armilla").glob("*.jsonl") if "own_000.fits" in path.read_text()]
    text = journal.read_text().splitlines(keepends=True)
    cut = next(i for i, line in enumerate(text) if '"map":"007"' in line)
    journal.write_text("".join(text[:cut]) + text[cut][:50])
    report = report_of(campaign, ranks=2)
    assert report["done_before"] == 7 and report["maps"] == 5
    assert contents(campaign) == own


CHANGES = {
    "lmax": (["--set", "steps.1.analysis.lmax=10"], "steps.1.analysis.lmax was 12, now 10"),
    "precision": (["--set", "execution.precision=single"], "execution.precision was double, now single"),
    "output": (["--set", "outputs.map.ordering=nested"], "outputs.map.ordering was absent, now nested"),
    "engine": (["--set", "execution.engine=reference"], "execution.engine was auto, now reference"),
}


@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("ranks", [0, 2])
def test_outputs_of_other_settings_are_not_mixed(campaign, how, ranks):
    arguments, part = CHANGES[how]
    changed = undisturbed(campaign, *arguments)
    run(campaign)
    first = contents(campaign)
    result = run(campaign, *arguments, ranks=ranks, code=2)
    assert len(result.errors()) == 1 and part in result.errors()[0] and "--restart" in result.errors()[0]
    assert contents(campaign) == first
    run(campaign, *arguments, "--restart", ranks=ranks)
    assert contents(campaign) == changed
    assert hidden(campaign) == []
    assert "there is nothing to compute" in run(campaign, *arguments).out


def test_a_shared_input_that_changes_is_named(campaign):
    run(campaign)
    campaign.map("mask.h5", 8, 1, change=lambda values: values.__setitem__(slice(None), np.arange(values.size) % 5 > 0))
    assert "inputs.mask.file.mtime was" in run(campaign, code=2).errors()[0]


def test_after_an_interrupted_run_other_settings_are_refused_too(campaign):
    campaign.job(JOB.replace('  map:   {file: "map_{}.fits"}\n', ""))
    Background(campaign, *SLOW, done=2).kill()
    result = run(campaign, "--set", "steps.1.analysis.lmax=10", code=2)
    assert "lmax was 12, now 10" in result.errors()[0] and ".unfinished" in result.errors()[0]
    run(campaign, "--set", "steps.1.analysis.lmax=10", "--restart")
    assert hidden(campaign) == []


def test_only_maps_that_changed_run_again(campaign):
    campaign.job(JOB.replace("  - statistics: {spectra: cl, out: stats}\n", "").replace("  stats: {file: stats.h5}\n", ""))
    run(campaign)
    make_map(campaign, 4, seed=99)
    (campaign.folder / "map_009.fits").unlink()
    report = report_of(campaign, ranks=2)
    assert report["maps"] == 2 and report["done_before"] == MAPS - 2
    found = contents(campaign)
    assert undisturbed(campaign, "--restart") == found


def test_with_statistics_all_maps_run_again_once_the_spectra_are_gone(campaign):
    run(campaign)
    make_map(campaign, 4, seed=99)
    assert report_of(campaign)["maps"] == MAPS
    found = contents(campaign)
    assert undisturbed(campaign, "--restart") == found


def test_a_file_of_all_maps_that_is_lost_is_made_again(campaign):
    run(campaign)
    first = contents(campaign)
    for name in ("cl.h5", "stats.h5"):
        (campaign.folder / name).unlink()
        run(campaign, ranks=2)
        assert contents(campaign) == first


@pytest.mark.parametrize("ranks", [0, 3])
def test_a_run_that_died_while_it_completed_its_files_is_completed(campaign, ranks):
    """All maps are done, some files have their names already, and no line says so."""
    campaign.job(JOB.replace("  - statistics: {spectra: cl, out: stats}\n", "").replace("  stats: {file: stats.h5}\n", ""))
    Background(campaign, *SLOW, done=1).kill()
    names = {}
    for path in (campaign.folder / ".armilla").glob("*.unfinished"):
        with h5py.File(path) as file:
            names["cl.h5" if "cl" in file else "a.h5"] = path
    run(campaign, *SLOW)
    first = contents(campaign)
    for path in (campaign.folder / ".armilla").glob("*.jsonl"):
        path.write_text("".join(line for line in path.read_text().splitlines(keepends=True)
                                if json.loads(line)["line"] not in ("file", "end") or '"output":"a"' in line))
    (campaign.folder / "cl.h5").rename(names["cl.h5"])  # died after a.h5 was renamed
    report = report_of(campaign, *SLOW, ranks=ranks)
    assert (report["maps"], report["done_before"]) == (0, MAPS)
    assert contents(campaign) == first
    assert hidden(campaign) == []
    assert len(lines(campaign, "done")) == MAPS


def test_maps_that_were_left_out_are_tried_again(campaign):
    whole = undisturbed(campaign)
    skip = ["--set", "execution.on_bad_map=skip"]
    (campaign.folder / "sims/map_005.h5").rename(campaign.folder / "away.h5")
    run(campaign, *skip)
    with h5py.File(campaign.folder / "stats.h5") as file:
        assert file["count"][0] == MAPS - 1
    one = status_json(campaign)
    assert (one["done"], one["left_out"], one["left"]) == (MAPS - 1, 1, 0)
    assert "map_005" in one["failures"][0]["reason"]
    assert report_of(campaign, *skip)["maps"] == 1  # in vain
    (campaign.folder / "away.h5").rename(campaign.folder / "sims/map_005.h5")
    report = report_of(campaign, *skip, ranks=2)
    assert report["maps"] == 1 and report["done_before"] == MAPS - 1
    assert contents(campaign) == whole
    assert hidden(campaign) == []


def test_a_map_that_fails_ends_the_run_and_is_tried_again(campaign):
    whole = undisturbed(campaign)
    good = (campaign.folder / "sims/map_005.h5").read_bytes()
    (campaign.folder / "sims/map_005.h5").write_bytes(good[:3000])
    result = run(campaign, "--set", "execution.batch=1", code=2)
    assert "map_005.h5" in result.errors()[0]
    one = status_json(campaign)
    assert one["failed"] == 1 and one["done"] == 5 and one["last_run"]["state"] == "failed"
    (campaign.folder / "sims/map_005.h5").write_bytes(good)
    assert report_of(campaign)["done_before"] == 5
    assert contents(campaign) == whole
    assert status_json(campaign)["failed"] == 0


# Without files that hold all maps, besides the statistics.
EACH = JOB.replace("  a:     {file: a.h5}\n  cl:    {file: cl.h5}\n", "")


@pytest.fixture(params=[JOB, EACH], ids=["batch_axis", "files_of_maps"])
def both(request, campaign):
    campaign.job(request.param)
    return campaign


def test_a_restart_that_is_killed_loses_no_map(both):
    first = undisturbed(both, *SLOW)
    Background(both, *SLOW, done=5).kill()
    begun = Background(both, *SLOW, "--restart", done=len(lines(both, "done")) + 2)
    begun.kill()
    run(both, *SLOW)
    assert contents(both) == first
    assert hidden(both) == []


@pytest.mark.parametrize("restart", [(), ("--restart",)])
def test_statistics_that_are_lost_are_made_of_all_maps(both, restart):
    first = undisturbed(both)
    run(both)
    if not restart:
        (both.folder / "stats.h5").unlink()
    for part in (2, 1):
        run(both, "--part", f"{part}/2", *restart)
    assert contents(both) == first
    assert hidden(both) == []


def test_a_part_that_leaves_maps_to_others_names_no_file_of_all(campaign):
    said = run(campaign, "--part", "1/2").out
    assert "wrote 'map'" in said and "wrote 'stats'" not in said and "wrote 'a'" not in said
    assert "wrote 'stats'" in run(campaign, "--part", "2/2").out


@pytest.mark.parametrize("left_out", [False, True])
def test_statistics_follow_inputs_that_change(both, left_out):
    settings = ["--set", "execution.on_bad_map=skip"]
    if left_out:
        make_map(both, 7)
        (both.folder / "sims/map_007.h5").unlink()
    run(both, *settings)
    before = contents(both)
    make_map(both, 4, seed=99)
    run(both, *settings)
    after = contents(both)
    assert after["stats.h5"] != before["stats.h5"]
    for name in both.leftovers():
        (both.folder / name).unlink()
    for path in (both.folder / ".armilla").iterdir():
        path.unlink()
    assert undisturbed(both, *settings) == after


def test_parts_make_the_whole(campaign):
    first = undisturbed(campaign)
    for number in (3, 1, 4, 2):
        assert not (campaign.folder / "a.h5").exists()
        report = report_of(campaign, "--part", f"{number}/4", ranks=0 if number < 3 else 2)
        assert report["maps"] == 3
    assert report["left"] == 0
    assert contents(campaign) == first
    assert hidden(campaign) == []
    assert "all 3 maps of this part are already done" in run(campaign, "--part", "2/4").out
    assert "there is nothing to compute" in run(campaign).out


@pytest.mark.parametrize("killed", [False, True])
def test_parts_that_run_at_the_same_time(campaign, killed):
    quick = [*SLOW, "--set", "steps.1.analysis.method.jacobi.iterations=2000"]
    first = undisturbed(campaign, *quick)
    parts = [subprocess.Popen([BINARY, "run", "job.yaml", *quick, "--part", f"{i}/3", "--quiet"], cwd=campaign.folder,
                              env=environment(), stderr=subprocess.PIPE, text=True) for i in (1, 2, 3)]
    if killed:
        while not (campaign.folder / ".armilla").exists() or len(lines(campaign, "done")) < 2:
            time.sleep(0.005)
        parts[1].kill()
    codes = []
    for part in parts:
        _, error = part.communicate(timeout=60)
        codes.append(part.returncode)
        assert part.returncode == 0 or killed and part is parts[1], error
    if killed and codes[1] != 0:
        assert not (campaign.folder / "stats.h5").exists()
        run(campaign, *quick, "--part", "2/3")
    assert contents(campaign) == first
    assert hidden(campaign) == []


def test_parts_that_end_together_complete_the_files_once(campaign):
    """Each part waits for the lock with all maps done; the second one finds everything published."""
    quick = [*SLOW, "--set", "steps.1.analysis.method.jacobi.iterations=2000"]
    first = undisturbed(campaign, *quick)
    parts = [subprocess.Popen(["mpirun", "-n", "2", BINARY, "run", "job.yaml", *quick, "--part", f"{i}/2", "--quiet"],
                              cwd=campaign.folder, env=environment(), stderr=subprocess.PIPE, text=True) for i in (1, 2)]
    while len(lines(campaign, "key")) < 2 and all(part.poll() is None for part in parts):
        time.sleep(0.005)
    name = lines(campaign, "run")[0]["campaign"]
    with open(campaign.folder / ".armilla" / f"{name}.lock", "a+") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        while len({line["map"] for line in lines(campaign, "done")}) < MAPS and all(part.poll() is None for part in parts):
            time.sleep(0.005)
        time.sleep(0.3)
    for part in parts:
        _, error = part.communicate(timeout=60)
        assert part.returncode == 0, error
    assert contents(campaign) == first
    assert hidden(campaign) == []


def test_a_run_of_the_whole_does_not_cross_a_part(campaign):
    begun = Background(campaign, "--set", "steps.1.analysis.method.jacobi.iterations=1000000", "--part", "2/3")
    try:
        while not lines(campaign, "key"):
            time.sleep(0.01)
        start = time.monotonic()
        result = run(campaign, *SLOW, "--part", "1/2", code=2)
        assert time.monotonic() - start >= 30
        assert "maps of this campaign are being computed by the run of part 2/3" in result.errors()[0]
        assert str(begun.process.pid) in result.errors()[0]
    finally:
        begun.kill()


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"])
def test_bad_parts_are_refused(campaign, text):
    result = campaign.armilla("run", "job.yaml", f"--part={text}")
    assert result.code == 2 and "is not a valid part: expected I/N" in result.error


def test_a_job_of_one_map_has_no_parts_and_no_journal(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\noutputs:\n  a: {file: a.h5}\n")
    assert "--part applies to jobs with many maps" in run(place, "--part", "1/2", ranks=2, code=2).errors()[0]
    for _ in range(2):
        run(place, "--report", "report.json")
        assert not (place.folder / ".armilla").exists()
    result = place.armilla("verify", "report.json")
    assert result.code == 0 and "1 files" in result.out
    result = place.armilla("verify", "job.yaml")
    assert result.code == 2 and "verify its report" in result.errors()[0]


def test_status_of_a_live_run_and_its_end(campaign):
    assert "no run has started" in status(campaign)
    begun = Background(campaign, *SLOW, ranks=2, done=2)
    one = status_json(campaign)
    assert len(one["live"]) == 1 and one["live"][0]["ranks"] == 2 and one["live"][0]["state"] == "live"
    assert one["maps"] == MAPS and 2 <= one["done"] <= MAPS and one["left"] == MAPS - one["done"]
    assert one["maps_per_second"] > 0 and one["seconds_left"] >= 0
    assert "  running: " in status(campaign)
    begun.kill()
    one = status_json(campaign)
    assert one["live"] == [] and one["seconds_left"] is None and one["last_run"]["state"] == ""
    assert "not running; the last run ended without a final record" in status(campaign)
    run(campaign, *SLOW)
    one = status_json(campaign)
    assert one["done"] == MAPS and one["left"] == 0 and one["last_run"]["state"] == "done"
    assert campaign.armilla("status", ".").out == status(campaign)
    assert campaign.armilla("status", ".armilla").code == 0


def test_the_token_changes_with_work_alone(campaign):
    token = lambda: status(campaign, "--token")  # noqa: E731
    tokens = [token()]
    Background(campaign, *SLOW, done=2).kill()
    tokens.append(token())
    run(campaign, "--set", "steps.1.analysis.lmax=10", code=2)  # refused
    run(campaign, *SLOW, "--max-time", "0.001s", code=5)  # stopped before it did anything
    assert token() == tokens[-1]
    run(campaign, *SLOW)
    tokens.append(token())
    run(campaign, *SLOW)
    assert token() == tokens[-1]
    assert len(set(tokens)) == len(tokens) == 3
    assert all(len(text.split()) == 1 for text in tokens)


def test_status_and_verify_of_nothing(campaign):
    for verb in ("status", "verify"):
        result = campaign.armilla(verb, "sims")
        assert result.code == 2 and "has no folder .armilla" in result.errors()[0]
        result = campaign.armilla(verb, "none.yaml")
        assert result.code == 2 and "none.yaml" in result.errors()[0]
    result = campaign.armilla("verify", "job.yaml")
    assert result.code == 2 and "no journal that lists complete files" in result.errors()[0]


@pytest.mark.parametrize("what", ["report.json", "job.yaml", "."])
def test_verify_names_each_file_that_differs(campaign, what):
    run(campaign, "--report", "report.json", ranks=3)
    result = campaign.armilla("verify", what)
    assert result.code == 0 and f"{MAPS + 3} files" in result.out
    with open(campaign.folder / "map_003.fits", "r+b") as file:
        file.seek(9000)
        byte = file.read(1)
        file.seek(9000)
        file.write(bytes([byte[0] ^ 64]))
    with open(campaign.folder / "cl.h5", "ab") as file:
        file.write(b"x")
    (campaign.folder / "map_005.fits").unlink()
    result = campaign.armilla("verify", what)
    assert result.code == 2
    found = {pathlib.Path(line.split("'")[1]).name: line for line in result.out.splitlines()}
    assert sorted(found) == ["cl.h5", "map_003.fits", "map_005.fits"]
    assert "checksum" in found["map_003.fits"] and "bytes" in found["cl.h5"] and "is missing" in found["map_005.fits"]
    assert f"3 of {MAPS + 3} files" in result.errors()[0]


def test_a_folder_can_be_moved(campaign, tmp_path_factory):
    run(campaign, "--report", "report.json")
    first = contents(campaign)
    other = tmp_path_factory.mktemp("other") / "moved"
    os.rename(campaign.folder, other)
    campaign.folder = other
    assert campaign.armilla("verify", "job.yaml").code == 0
    assert campaign.armilla("verify", "report.json").code == 0
    assert "there is nothing to compute" in run(campaign).out
    assert contents(campaign) == first


@pytest.mark.parametrize("ranks", [0, 3])
def test_a_limit_of_time_stops_between_batches(campaign, ranks):
    first = undisturbed(campaign, *SLOW)
    codes = []
    while not codes or codes[-1] == 5:
        assert len(codes) < 40
        start = time.monotonic()
        result = campaign.armilla("run", "job.yaml", *SLOW, "--max-time", "1.5s", ranks=ranks)
        codes.append(result.code)
        if result.code == 5:
            assert "stopped by --max-time: " in result.error and "run the same command again to continue" in result.error
            assert time.monotonic() - start < 30
    assert codes[-1] == 0
    assert contents(campaign) == first


@pytest.mark.parametrize("text", ["3", "0s", "1x", "1:2", "abc", "-1h"])
def test_bad_times_are_refused(campaign, text):
    result = campaign.armilla("run", "job.yaml", f"--max-time={text}")
    assert result.code == 2 and "is not a valid time: expected" in result.error


def test_a_campaign_keeps_its_fft_plans(place, monkeypatch):
    """Another machine, or a lost cache, would measure others, with other last bits."""
    (place.folder / "sims").mkdir()
    for i in range(4):
        make_map(place, i, nside=256)
    place.job('inputs:\n  sky: {map: "sims/map_{000..003}.h5"}\nsteps:\n  - analysis: {map: sky, lmax: 16, out: a}\n'
              'outputs:\n  a: {file: "a_{}.h5"}\nexecution: {batch: 1}\n')
    place.remember()
    monkeypatch.setenv("ARMILLA_CACHE_DIR", str(place.folder / "cache"))
    run(place)
    (plans,) = (place.folder / ".armilla").glob("wisdom-double*")
    first = plans.read_bytes()
    (place.folder / "a_002.h5").unlink()
    monkeypatch.setenv("ARMILLA_CACHE_DIR", str(place.folder / "other"))
    run(place, ranks=2)
    assert not list((place.folder / "other").glob("wisdom-double*"))  # nothing was measured
    assert plans.read_bytes() == first


def test_a_read_only_folder_in_the_middle_is_told_and_the_rest_goes_on(campaign):
    """As far as permissions bind this user."""
    first = undisturbed(campaign, *SLOW)
    begun = Background(campaign, *SLOW, done=2)
    os.chmod(campaign.folder, 0o555)
    try:
        if os.access(campaign.folder, os.W_OK):
            begun.kill()
            pytest.skip("this user may write everywhere")
        assert begun.wait() == 2
        assert "not writable" in begun.error
    finally:
        os.chmod(campaign.folder, 0o755)
    run(campaign, *SLOW)
    assert contents(campaign) == first


def test_campaigns_in_one_folder_do_not_mix(campaign):
    run(campaign)
    campaign.job(JOB.replace("map_{}", "other_{}").replace("a.h5", "b.h5").replace("cl.h5", "dl.h5")
                 .replace("stats.h5", "other.h5").replace("lmax: 12", "lmax: 11"), "other.yaml")
    assert campaign.armilla("run", "other.yaml").code == 0
    assert "there is nothing to compute" in run(campaign).out
    assert len(json.loads(campaign.armilla("status", ".", "--json").out)["campaigns"]) == 2
    result = campaign.armilla("verify", ".")
    assert result.code == 0 and f"{2 * (MAPS + 3)} files" in result.out


def test_a_longer_pattern_continues_a_campaign(campaign):
    """Where each map has files of its own."""
    only = JOB.replace("  a:     {file: a.h5}\n  cl:    {file: cl.h5}\n  stats: {file: stats.h5}\n", "") \
        .replace("  - spectra:    {alm: a, out: cl}\n  - statistics: {spectra: cl, out: stats}\n", "")
    campaign.job(only.replace("000..011", "002..006"))
    run(campaign)
    campaign.job(only)
    report = report_of(campaign, ranks=3)
    assert report["done_before"] == 5 and report["maps"] == MAPS - 5
    found = contents(campaign)
    assert undisturbed(campaign, "--restart") == found

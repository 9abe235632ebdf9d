"""The journal of campaigns: what a run did, the next one skips, and what is written is the same, bit for bit, as if nothing
had come in between. Parts, restarts, limits of time, status and verification."""
import ctypes
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from conftest import BINARY, Workplace, environment, ranks_in
from tiers import RANKS, sweep

MAPS = 8
JOB = """inputs:
  sky:  {map: "sims/map_{000..007}.h5"}
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
# One batch for each map, of some 50 ms.
SLOW = ["--set", "steps.1.analysis.method.jacobi.iterations=2000", "--set", "execution.batch=1"]
ENDLESS = ["--set", "steps.1.analysis.method.jacobi.iterations=1000000"]
# Each map has files of its own.
STATISTICS = "  - spectra:    {alm: a, out: cl}\n  - statistics: {spectra: cl, out: stats}\n"
OWN_FILES = JOB.replace(STATISTICS, "").replace("  a:     {file: a.h5}\n  cl:    {file: cl.h5}\n  stats: {file: stats.h5}\n", "")
NO_STATISTICS = JOB.replace("  - statistics: {spectra: cl, out: stats}\n", "").replace("  stats: {file: stats.h5}\n", "")


def make_map(place, number, seed=None, nside=8):
    draw = np.random.default_rng(number if seed is None else seed)
    place.map(f"sims/map_{number:03}.h5", nside, 3,
              change=lambda values: values.__setitem__(slice(None), draw.normal(size=values.shape)))


def make_mask(place, period):
    place.map("mask.h5", 8, 1, change=lambda values: values.__setitem__(slice(None), np.arange(values.size) % period > 0))


def copy_of(source, folder):
    shutil.copytree(source.folder, folder)
    place = Workplace(folder)
    place.known = set(source.known)
    return place


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    place = Workplace(tmp_path_factory.mktemp("inputs"))
    (place.folder / "sims").mkdir()
    for i in range(MAPS):
        make_map(place, i)
    make_mask(place, 7)
    place.job(JOB)
    place.remember()
    return place


@pytest.fixture
def campaign(inputs, tmp_path):
    return copy_of(inputs, tmp_path / "campaign")


@pytest.fixture(scope="module")
def completed(inputs, tmp_path_factory):
    place = copy_of(inputs, tmp_path_factory.mktemp("completed") / "campaign")
    run(place)
    assert hidden(place) == []
    return place


@pytest.fixture
def complete(completed, tmp_path):
    """A campaign that has run in another folder."""
    return copy_of(completed, tmp_path / "campaign")


@pytest.fixture(scope="module")
def reference(inputs, tmp_path_factory):
    """Function that returns the files of a run in one go."""
    found = {}

    def files(*arguments, job=JOB):
        key = (job, arguments)
        if key not in found:
            place = copy_of(inputs, tmp_path_factory.mktemp("reference") / "campaign")
            place.job(job)
            run(place, *arguments)
            found[key] = contents(place)
        return found[key]

    return files


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
    """What lies in the folder of the journal besides journals."""
    return sorted(path.name for path in (place.folder / ".armilla").iterdir()
                  if path.suffix != ".jsonl")


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


def start_over(place):
    """Without outputs and journal."""
    for name in place.leftovers():
        (place.folder / name).unlink()
    shutil.rmtree(place.folder / ".armilla")


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

    def suspend(self):
        """It stays alive, and holds its locks."""
        for pid in self.ranks():
            os.kill(pid, signal.SIGSTOP)

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


@pytest.mark.parametrize("ranks", RANKS)
def test_the_same_command_again_has_nothing_to_do(complete, ranks):
    first = contents(complete)
    stamps = {name: (complete.folder / name).stat().st_mtime_ns for name in first}
    result = run(complete, ranks=ranks)
    assert f"all {MAPS} maps are already done: there is nothing to compute" in result.out
    assert contents(complete) == first
    assert {name: (complete.folder / name).stat().st_mtime_ns for name in first} == stamps
    assert len(list((complete.folder / ".armilla").glob("*.jsonl"))) == 1  # runs that did nothing leave none
    told = run(complete, "--dry-run").out
    assert f"all {MAPS} maps are already done" in told


# claims: guarantee resume_campaigns
@pytest.mark.parametrize("ranks, groups, everyone", [(0, 1, True), (2, 2, False),
                                                     *sweep((3, 3, True), (3, 3, False), (3, 1, False), (7, 3, True))])
def test_a_killed_run_is_continued(campaign, reference, ranks, groups, everyone):
    # On more ranks than cores, the launcher notices late that a rank was killed.
    settings = [*SLOW, "--set", "steps.1.analysis.method.jacobi.iterations=10000"] if ranks > 2 else SLOW
    slow = [*settings, "--set", f"execution.map_groups={groups}"]
    begun = Background(campaign, *slow, ranks=ranks, done=3)
    assert begun.kill(everyone) != 0
    done = {line["map"] for line in lines(campaign, "done")}
    assert 3 <= len(done) < MAPS
    assert not (campaign.folder / "a.h5").exists() and not (campaign.folder / "stats.h5").exists()
    assert {path.suffix for path in (campaign.folder / ".armilla").iterdir()} >= {".unfinished", ".spectra"}
    # Other ranks and batches: no part of the key.
    report = report_of(campaign, *slow, "--set", "execution.batch=3", ranks=0 if ranks else 2)
    assert report["done_before"] == len(done) and report["maps"] == MAPS - len(done)
    assert contents(campaign) == reference(*settings)
    assert hidden(campaign) == []
    again = [line["map"] for line in lines(campaign, "done")]
    assert len(again) == MAPS and set(again) >= done


def tear(journal, number):
    """Ends within the line of that map."""
    text = journal.read_text().splitlines(keepends=True)
    cut = next(i for i, line in enumerate(text) if f'"map":"{number}"' in line)
    journal.write_text("".join(text[:cut]) + text[cut][:50])


def test_a_torn_last_line_is_ignored_and_others_are_kept(campaign):
    campaign.job(OWN_FILES)
    run(campaign)
    own = contents(campaign)
    (journal,) = (campaign.folder / ".armilla").glob("*.jsonl")
    tear(journal, "005")
    report = report_of(campaign)
    assert report["done_before"] == 5 and report["maps"] == MAPS - 5
    assert contents(campaign) == own


def test_without_lines_of_complete_files_all_maps_run_again(complete):
    first = contents(complete)
    (journal,) = (complete.folder / ".armilla").glob("*.jsonl")
    tear(journal, "005")
    assert report_of(complete)["done_before"] == 0
    assert contents(complete) == first


CHANGES = {
    "lmax": (["--set", "steps.1.analysis.lmax=10"], "steps.1.analysis.lmax was 12, now 10"),
    "precision": (["--set", "execution.precision=single"], "execution.precision was double, now single"),
    "output": (["--set", "outputs.map.ordering=nested"], "outputs.map.ordering was absent, now nested"),
    "engine": (["--set", "execution.engine=reference"], "execution.engine was auto, now reference"),
}


# claims: guarantee other_settings
@pytest.mark.parametrize("how", CHANGES)
@pytest.mark.parametrize("ranks", [0, *sweep(2)])
def test_outputs_of_other_settings_are_not_mixed(complete, how, ranks):
    arguments, part = CHANGES[how]
    first = contents(complete)
    result = run(complete, *arguments, ranks=ranks, code=2)
    assert len(result.errors()) == 1 and part in result.errors()[0] and "--restart" in result.errors()[0]
    assert contents(complete) == first


@pytest.mark.parametrize("how", ["lmax", *sweep("precision", "output", "engine")])
def test_a_restart_replaces_outputs_of_other_settings(complete, reference, how):
    arguments, _ = CHANGES[how]
    run(complete, *arguments, "--restart")
    assert contents(complete) == reference(*arguments)
    assert hidden(complete) == []
    assert "there is nothing to compute" in run(complete, *arguments).out


def test_a_shared_input_that_changes_is_named(complete):
    make_mask(complete, 5)
    assert "inputs.mask.file.mtime was" in run(complete, code=2).errors()[0]


def test_after_an_interrupted_run_other_settings_are_refused_too(campaign):
    campaign.job(JOB.replace('  map:   {file: "map_{}.fits"}\n', ""))
    Background(campaign, *SLOW, done=2).kill()
    result = run(campaign, "--set", "steps.1.analysis.lmax=10", code=2)
    assert "lmax was 12, now 10" in result.errors()[0] and ".unfinished" in result.errors()[0]
    run(campaign, "--set", "steps.1.analysis.lmax=10", "--restart")
    assert hidden(campaign) == []


def test_only_maps_that_changed_run_again(campaign):
    campaign.job(NO_STATISTICS)
    run(campaign)
    make_map(campaign, 4, seed=99)
    (campaign.folder / "map_006.fits").unlink()
    report = report_of(campaign)
    assert report["maps"] == 2 and report["done_before"] == MAPS - 2
    found = contents(campaign)
    start_over(campaign)
    run(campaign)
    assert contents(campaign) == found


def test_with_statistics_all_maps_run_again_once_the_spectra_are_gone(complete):
    make_map(complete, 4, seed=99)
    assert report_of(complete)["maps"] == MAPS
    found = contents(complete)
    start_over(complete)
    run(complete)
    assert contents(complete) == found


def flip_a_bit(path, position):
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


def test_damaged_spectra_of_earlier_runs_are_never_taken_for_results(campaign, reference):
    first, second = ("--part", "1/2"), ("--part", "2/2")
    run(campaign, *first)
    (spectra,) = (campaign.folder / ".armilla").glob("*.spectra")
    maps = min((campaign.folder / ".armilla").glob("*.unfinished"))
    sound = spectra.read_bytes()

    # Too short for the maps that are done: those are computed again.
    os.truncate(spectra, len(sound) - 1)
    assert report_of(campaign, *first)["maps"] == MAPS // 2
    assert spectra.read_bytes() == sound

    sound_maps = maps.read_bytes()
    maps.write_bytes(sound_maps[:-1])
    assert f"remove '{maps.relative_to(campaign.folder)}'" in run(campaign, *second, code=3).error.replace("'./", "'")
    maps.write_bytes(sound_maps)

    # A row that was lost (zeros), and a bit of the last number of the first map.
    for damage in (lambda: spectra.write_bytes(bytes(200) + sound[200:]), lambda: flip_a_bit(spectra, 8 * 12)):
        sound = spectra.read_bytes()
        damage()
        error = run(campaign, *second, code=3).error
        assert "the spectra of map 1 of" in error and "are damaged: remove that file and run again" in error
        assert not (campaign.folder / "stats.h5").exists()
        spectra.write_bytes(sound[:200] + spectra.read_bytes()[200:])

    flip_a_bit(spectra, 3)
    run(campaign, code=3)
    spectra.unlink()
    assert report_of(campaign)["maps"] == MAPS
    assert contents(campaign) == reference()


def test_a_file_of_all_maps_that_is_lost_is_made_again(complete):
    first = contents(complete)
    for name in ("cl.h5", "stats.h5"):
        (complete.folder / name).unlink()
        run(complete)
        assert contents(complete) == first


@pytest.mark.parametrize("ranks", RANKS)
def test_a_run_that_died_while_it_completed_its_files_is_completed(campaign, ranks):
    """All maps are done, some files have their names already, and no line says so."""
    campaign.job(NO_STATISTICS)
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


def test_maps_that_were_left_out_are_tried_again(campaign, reference):
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
    report = report_of(campaign, *skip)
    assert report["maps"] == 1 and report["done_before"] == MAPS - 1
    assert contents(campaign) == reference()
    assert hidden(campaign) == []


def test_a_map_that_fails_ends_the_run_and_is_tried_again(campaign, reference):
    good = (campaign.folder / "sims/map_005.h5").read_bytes()
    (campaign.folder / "sims/map_005.h5").write_bytes(good[:3000])
    result = run(campaign, "--set", "execution.batch=1", code=2)
    assert "map_005.h5" in result.errors()[0]
    one = status_json(campaign)
    assert one["failed"] == 1 and one["done"] == 5 and one["last_run"]["state"] == "failed"
    (campaign.folder / "sims/map_005.h5").write_bytes(good)
    assert report_of(campaign)["done_before"] == 5
    assert contents(campaign) == reference()
    assert status_json(campaign)["failed"] == 0


# Without files that hold all maps, besides the statistics.
EACH = JOB.replace("  a:     {file: a.h5}\n  cl:    {file: cl.h5}\n", "")
FORMS = {"batch_axis": JOB, "files_of_maps": EACH}


@pytest.mark.parametrize("form", ["batch_axis", *sweep("files_of_maps")])
def test_a_restart_that_is_killed_loses_no_map(campaign, reference, form):
    campaign.job(FORMS[form])
    Background(campaign, *SLOW, done=3).kill()
    begun = Background(campaign, *SLOW, "--restart", done=len(lines(campaign, "done")) + 2)
    begun.kill()
    run(campaign, *SLOW)
    assert contents(campaign) == reference(*SLOW, job=FORMS[form])
    assert hidden(campaign) == []


@pytest.mark.parametrize("form, restart", [("batch_axis", ()), ("files_of_maps", ("--restart",)),
                                           *sweep(("batch_axis", ("--restart",)), ("files_of_maps", ()))])
def test_statistics_that_are_lost_are_made_of_all_maps(campaign, form, restart):
    campaign.job(FORMS[form])
    run(campaign)
    first = contents(campaign)
    if not restart:
        (campaign.folder / "stats.h5").unlink()
    for part in (2, 1):
        run(campaign, "--part", f"{part}/2", *restart)
    assert contents(campaign) == first
    assert hidden(campaign) == []


def test_a_part_that_leaves_maps_to_others_names_no_file_of_all(campaign):
    said = run(campaign, "--part", "1/2").out
    assert "wrote 'map'" in said and "wrote 'stats'" not in said and "wrote 'a'" not in said
    assert "wrote 'stats'" in run(campaign, "--part", "2/2").out


@pytest.mark.parametrize("form, left_out", [("batch_axis", False), ("files_of_maps", True),
                                            *sweep(("batch_axis", True), ("files_of_maps", False))])
def test_statistics_follow_inputs_that_change(campaign, form, left_out):
    campaign.job(FORMS[form])
    settings = ["--set", "execution.on_bad_map=skip"]
    if left_out:
        (campaign.folder / "sims/map_007.h5").unlink()
    run(campaign, *settings)
    before = contents(campaign)
    make_map(campaign, 4, seed=99)
    run(campaign, *settings)
    after = contents(campaign)
    assert after["stats.h5"] != before["stats.h5"]
    start_over(campaign)
    run(campaign, *settings)
    assert contents(campaign) == after


def test_parts_make_the_whole(campaign, reference):
    for number in (3, 1, 4, 2):
        assert not (campaign.folder / "a.h5").exists()
        report = report_of(campaign, "--part", f"{number}/4")
        assert report["maps"] == 2
    assert report["left"] == 0
    assert contents(campaign) == reference()
    assert hidden(campaign) == []
    assert "all 2 maps of this part are already done" in run(campaign, "--part", "2/4").out
    assert "there is nothing to compute" in run(campaign).out


def start_parts(place, number):
    return [subprocess.Popen([BINARY, "run", "job.yaml", *SLOW, "--part", f"{i + 1}/{number}", "--quiet"], cwd=place.folder,
                             env=environment(), stderr=subprocess.PIPE, text=True) for i in range(number)]


@pytest.mark.parametrize("killed", [False, True])
def test_parts_that_run_at_the_same_time(campaign, reference, killed):
    parts = start_parts(campaign, 3)
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
        run(campaign, *SLOW, "--part", "2/3")
    assert contents(campaign) == reference(*SLOW)
    assert hidden(campaign) == []


def hold_lock(path):
    """The locked file. A holder removes the file when it is done, so that a lock may be that of a removed file."""
    while True:
        file = open(path, "a+")
        fcntl.lockf(file, fcntl.LOCK_EX)
        if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
            return file
        file.close()


def wait_for_open(path, seconds=60):
    """Waits until a process opens the file."""
    libc = ctypes.CDLL(None, use_errno=True)
    watch = libc.inotify_init1(os.O_CLOEXEC)
    assert watch >= 0, os.strerror(ctypes.get_errno())
    try:
        in_open = 0x20  # IN_OPEN of <sys/inotify.h>
        assert libc.inotify_add_watch(watch, os.fsencode(path), in_open) >= 0, os.strerror(ctypes.get_errno())
        assert select.select([watch], [], [], seconds)[0], f"no process asks for {path}"
    finally:
        os.close(watch)


def wait_until_all_ask_for(path, parts):
    """Processes try to get a lock again and again, and open its file for each attempt. The others stand still meanwhile."""
    for asking in parts:
        others = [part for part in parts if part is not asking]
        for part in others:
            part.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, part.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        try:
            wait_for_open(path)
        finally:
            for part in others:
                part.send_signal(signal.SIGCONT)


def done_maps(place):
    return {int(line["map"]) for line in lines(place, "done")}


def start_halves_without_lock(place):
    """Two parts, the path of the lock that each needs after its last map, and its file, locked before that."""
    for _ in range(20):
        parts = start_parts(place, 2)
        while len(lines(place, "key")) < 2 and all(part.poll() is None for part in parts):
            time.sleep(0.005)
        path = place.folder / ".armilla" / f"{lines(place, 'run')[0]['campaign']}.lock"
        file = hold_lock(path)
        done = done_maps(place)
        if not any(done >= set(half) for half in (range(MAPS // 2), range(MAPS // 2, MAPS))):
            return parts, path, file
        file.close()  # a slow machine: one part was ready before the other had begun
        for part in parts:
            part.communicate(timeout=60)
        start_over(place)
    raise AssertionError("one part is always ready before the other has begun")


def test_parts_that_end_together_complete_the_files_once(campaign, reference):
    """Each part waits for the lock with all maps done; the second one finds everything published."""
    parts, path, file = start_halves_without_lock(campaign)
    with file:
        while len(done_maps(campaign)) < MAPS and all(part.poll() is None for part in parts):
            time.sleep(0.005)
        assert len(done_maps(campaign)) == MAPS
        wait_until_all_ask_for(path, parts)
        assert not (campaign.folder / "stats.h5").exists() and not lines(campaign, "end")
    for part in parts:
        _, error = part.communicate(timeout=60)
        assert part.returncode == 0, error
    assert contents(campaign) == reference(*SLOW)
    assert hidden(campaign) == []


def test_a_run_of_the_whole_does_not_cross_a_part(campaign):
    begun = Background(campaign, *ENDLESS, "--part", "2/3")
    try:
        while not lines(campaign, "key") or list((campaign.folder / ".armilla").glob("*.lock")):
            time.sleep(0.01)
        begun.suspend()
        result = run(campaign, *SLOW, "--part", "1/2", "--lock-wait", "0.2", code=2)
        assert "maps of this campaign are being computed by the run of part 2/3" in result.errors()[0]
        assert str(begun.process.pid) in result.errors()[0]
    finally:
        begun.kill()


@pytest.mark.parametrize("text", ["0/3", *sweep("4/3", "1", "a/b", "1/0", "-1/2")])
def test_bad_parts_are_refused(campaign, text):
    result = campaign.armilla("run", "job.yaml", f"--part={text}")
    assert result.code == 2 and "is not a valid part: expected I/N" in result.error


def test_a_job_of_one_map_has_no_parts_and_no_journal(place):
    place.job("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 8, out: a}\noutputs:\n  a: {file: a.h5}\n")
    assert "--part applies to jobs with many maps" in run(place, "--part", "1/2", code=2).errors()[0]
    for _ in range(2):
        run(place, "--report", "report.json")
        assert not (place.folder / ".armilla").exists()
    result = place.armilla("verify", "report.json")
    assert result.code == 0 and "1 files" in result.out
    result = place.armilla("verify", "job.yaml")
    assert result.code == 2 and "verify its report" in result.errors()[0]


def test_status_of_a_live_run_and_its_end(campaign):
    assert "no run has started" in status(campaign)
    begun = Background(campaign, *SLOW, done=2)
    begun.suspend()
    one = status_json(campaign)
    assert len(one["live"]) == 1 and one["live"][0]["ranks"] == 1 and one["live"][0]["state"] == "live"
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


# claims: guarantee verify
@pytest.mark.parametrize("what", ["report.json", "job.yaml", "."])
def test_verify_names_each_file_that_differs(complete, what):
    run(complete, "--report", "report.json")  # with the paths of this folder
    result = complete.armilla("verify", what)
    assert result.code == 0 and f"{MAPS + 3} files" in result.out
    with open(complete.folder / "map_003.fits", "r+b") as file:
        file.seek(9000)
        byte = file.read(1)
        file.seek(9000)
        file.write(bytes([byte[0] ^ 64]))
    with open(complete.folder / "cl.h5", "ab") as file:
        file.write(b"x")
    (complete.folder / "map_005.fits").unlink()
    result = complete.armilla("verify", what)
    assert result.code == 2
    found = {pathlib.Path(line.split("'")[1]).name: line for line in result.out.splitlines()}
    assert sorted(found) == ["cl.h5", "map_003.fits", "map_005.fits"]
    assert "checksum" in found["map_003.fits"] and "bytes" in found["cl.h5"] and "is missing" in found["map_005.fits"]
    assert f"3 of {MAPS + 3} files" in result.errors()[0]


def test_a_folder_can_be_moved(complete, tmp_path_factory):
    run(complete, "--report", "report.json")  # with the paths of this folder
    first = contents(complete)
    other = tmp_path_factory.mktemp("other") / "moved"
    os.rename(complete.folder, other)
    complete.folder = other
    assert complete.armilla("verify", "job.yaml").code == 0
    assert complete.armilla("verify", "report.json").code == 0
    assert "there is nothing to compute" in run(complete).out
    assert contents(complete) == first


@pytest.mark.parametrize("ranks", RANKS)
def test_a_limit_of_time_stops_between_batches(campaign, reference, ranks):
    code, limit, done = 5, 0.3, []
    while code == 5:
        restart = [] if done else ["--restart"]
        result = campaign.armilla("run", "job.yaml", *SLOW, *restart, "--max-time", f"{limit:.2f}s", ranks=ranks)
        code = result.code
        if code == 5:
            without = " without --restart" if restart else ""
            assert f"run the same command{without} again to continue" in result.error
            assert "stopped by --max-time: " in result.error
        done.append(len(lines(campaign, "done")))
        limit *= 1.5  # slow machines may need more time for a single map
    assert code == 0 and any(0 < number < MAPS for number in done), done
    assert contents(campaign) == reference(*SLOW)


@pytest.mark.parametrize("text", ["3", *sweep("0s", "1x", "1:2", "abc", "-1h")])
def test_bad_times_are_refused(campaign, text):
    result = campaign.armilla("run", "job.yaml", f"--max-time={text}")
    assert result.code == 2 and "is not a valid time: expected" in result.error


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_read_only_folder_in_the_middle_is_told_and_the_rest_goes_on(campaign, reference):
    begun = Background(campaign, *SLOW, done=2)
    os.chmod(campaign.folder, 0o555)
    try:
        assert begun.wait() == 2
        assert "not writable" in begun.error
    finally:
        os.chmod(campaign.folder, 0o755)
    run(campaign, *SLOW)
    assert contents(campaign) == reference(*SLOW)


def test_campaigns_in_one_folder_do_not_mix(complete):
    complete.job(JOB.replace("map_{}", "other_{}").replace("a.h5", "b.h5").replace("cl.h5", "dl.h5")
                 .replace("stats.h5", "other.h5").replace("lmax: 12", "lmax: 11"), "other.yaml")
    assert complete.armilla("run", "other.yaml").code == 0
    assert "there is nothing to compute" in run(complete).out
    assert len(json.loads(complete.armilla("status", ".", "--json").out)["campaigns"]) == 2
    result = complete.armilla("verify", ".")
    assert result.code == 0 and f"{2 * (MAPS + 3)} files" in result.out


def test_a_longer_pattern_continues_a_campaign(campaign, reference):
    """Where each map has files of its own."""
    campaign.job(OWN_FILES.replace("000..007", "002..006"))
    run(campaign)
    campaign.job(OWN_FILES)
    report = report_of(campaign)
    assert report["done_before"] == 5 and report["maps"] == MAPS - 5
    assert contents(campaign) == reference(job=OWN_FILES)

"""Reports (--report): of runs, of runs that failed, and of dry runs."""
import datetime
import json
import os
import subprocess

import pytest
from conftest import BINARY, environment
from tiers import RANKS, sweep

JOB = """inputs:
  sky: {map: sky.h5}
steps:
  - analysis: {map: sky, lmax: 16, method: {jacobi: {iterations: 2}}, out: a}
  - multiply: {alm: a, by: {window: window.dat}, out: b}
outputs:
  a: {file: a.h5}
  b: {file: "0010.fits"}
"""


@pytest.fixture
def sky(place):
    (place.folder / "window.dat").write_text("# L T E B\n" + "".join(f"{l} 1 1 0.5\n" for l in range(33)))
    place.job(JOB)
    return place


def report_of(place, *arguments, code=0, ranks=0, **more):
    (place.folder / "report.json").unlink(missing_ok=True)
    result = place.armilla("run", "job.yaml", "--report", "report.json", *arguments, ranks=ranks, **more)
    assert result.code == code, result.error
    report = place.report("report.json")
    assert report["exit_code"] == code
    check_start(report, max(ranks, 1))
    return result, report


def check_start(report, ranks):
    """What reports of all kinds begin with."""
    version, libraries = (subprocess.run([BINARY, "--version"], capture_output=True, text=True, env=environment())
                          .stdout.splitlines()[i] for i in (0, 3))
    assert f"armilla {report['version']}" == version
    assert "; ".join(f"{name} {of}" for name, of in sorted(report["libraries"].items())) == \
        "; ".join(sorted(libraries.removeprefix("libraries: ").split("; ")))
    date = datetime.datetime.strptime(report["date"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    assert 0 <= (datetime.datetime.now(datetime.timezone.utc) - date).total_seconds() < 300
    assert report["host_names"] == [os.uname().nodename] and report["hosts"] == 1
    assert report["ranks"] == ranks and report["program"] == "armilla"


@pytest.mark.parametrize("ranks", [2, *sweep(0, 3)])
def test_a_report_has_the_job_as_it_ran(sky, ranks):
    changes = ["--set", "steps.0.analysis.lmax=12", "--set", "execution.precision=single"]
    report = report_of(sky, *changes, ranks=ranks)[1]
    contents = report["job_contents"]
    assert contents["steps"][0]["analysis"] == {"map": "sky", "lmax": 12, "method": {"jacobi": {"iterations": 2}}, "out": "a"}
    assert contents["execution"] == {"precision": "single"} and contents["version"] == 1
    assert report["overrides"] == changes[1::2] and report["job"] == "job.yaml"
    assert "error" not in report and "dry_run" not in report
    # It can be run again: names such as 0010.fits, numbers and texts are as they were written.
    written = {name: (sky.folder / name).read_bytes() for name in ("a.h5", "0010.fits")}
    for name in written:
        (sky.folder / name).unlink()
    (sky.folder / "again.json").write_text(json.dumps(contents))
    assert sky.armilla("run", "again.json").code == 0
    assert written == {name: (sky.folder / name).read_bytes() for name in written}


def test_texts_of_a_job_stay_as_they_are_written(sky):
    sky.job(JOB + 'execution: {checkpoint_minutes: 1.50}\n')
    contents = report_of(sky, "--set", "outputs.b.file=1e3.h5", "--set", "outputs.a.file='010.h5'")[1]["job_contents"]
    assert contents["execution"] == {"checkpoint_minutes": "1.50"}
    assert contents["outputs"] == {"a": {"file": "010.h5"}, "b": {"file": "1e3.h5"}}


@pytest.mark.parametrize("ranks", RANKS)
def test_checksums_of_inputs_and_outputs(sky, ranks):
    report = report_of(sky, ranks=ranks)[1]
    inputs = {os.path.basename(file["file"]): file for file in report["input_checksums"]}
    outputs = {os.path.basename(file["file"]): file for file in report["checksums"]}
    assert sorted(inputs) == ["sky.h5", "window.dat"] and sorted(outputs) == ["0010.fits", "a.h5"]
    for file in [*inputs.values(), *outputs.values()]:
        assert os.path.isabs(file["file"]) and file["bytes"] == os.path.getsize(file["file"]) and len(file["checksum"]) == 16
    again = report_of(sky, "--restart")[1]
    assert again["input_checksums"] == report["input_checksums"]
    with open(sky.folder / "window.dat", "a") as file:
        file.write("# one more line\n")
    other = {os.path.basename(file["file"]): file for file in report_of(sky)[1]["input_checksums"]}
    assert other["sky.h5"] == inputs["sky.h5"] and other["window.dat"]["checksum"] != inputs["window.dat"]["checksum"]


@pytest.mark.parametrize("ranks", RANKS)
def test_checksums_of_the_maps_of_a_campaign(place, ranks):
    for i in range(5):
        place.map(f"map_{i}.h5", 8, 1, change=lambda values: values.__iadd__(i))
    (place.folder / "map_2.h5").unlink()
    place.map("mask.h5", 8, 1, change=lambda values: values.fill(1))
    place.job('inputs:\n  sky: {map: "map_{0..4}.h5"}\n  mask: {map: mask.h5}\nsteps:\n'
              "  - mask: {map: sky, mask: mask, out: cut}\n  - analysis: {map: cut, lmax: 12, out: a}\n"
              'outputs:\n  a: {file: "a_{}.h5"}\nexecution: {on_bad_map: skip}\n')
    report = report_of(place, ranks=ranks)[1]
    inputs = {os.path.basename(file["file"]): file for file in report["input_checksums"]}
    assert sorted(inputs) == ["map_0.h5", "map_1.h5", "map_2.h5", "map_3.h5", "map_4.h5", "mask.h5"]
    assert inputs["map_2.h5"]["checksum"] is None and inputs["map_2.h5"]["bytes"] is None
    assert len({file["checksum"] for file in inputs.values()}) == 6


# claims: guarantee exit_codes
@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("change, code, kind, part", [
    ("steps.0.analysis.lmaxx=3", 2, "input", "did you mean 'lmax'"),
    ("inputs.sky.map=none.h5", 2, "input", "none.h5"),
    ("execution.threads=[", 2, "input", "the value is not YAML"),
    ("execution.memory=3", 2, "input", "unknown key 'memory'")])
def test_a_run_that_fails_writes_a_report(sky, change, code, kind, part, ranks):
    result, report = report_of(sky, "--set", change, code=code, ranks=ranks)
    assert len(result.errors()) == 1
    assert result.errors()[0] == "armilla: error: " + report["error"]["message"] and part in report["error"]["message"]
    assert (report["error"]["kind"], report["error"]["exit_code"]) == (kind, code)
    assert report["overrides"] == [change]
    assert (report["job_contents"] is None) == (change == "execution.threads=[")
    assert "files" not in report and "checksums" not in report
    refused = sky.armilla("verify", "report.json")
    assert refused.code == 2 and "is from a failed run" in refused.errors()[0]


def test_errors_about_the_job_have_their_parts(sky):
    error = report_of(sky, "--set", "execution.threads=0", code=2)[1]["error"]
    assert error["where"] == "--set execution.threads=0" and (error["section"], error["key"], error["value"]) == (
        "execution", "threads", "0")
    assert error["message"] == "{where}: {section}.{key} = {value} {text}".format(**error)
    assert set(report_of(sky, "--memory-limit", "1M", code=3)[1]["error"]) == {"kind", "message", "exit_code", "text"}


# claims: guarantee exit_codes
@pytest.mark.parametrize("ranks", RANKS)
def test_a_run_without_memory_writes_a_report(sky, ranks):
    report = report_of(sky, "--memory-limit", "1M", code=3, ranks=ranks)[1]
    assert report["error"]["kind"] == "resource" and "memory" in report["error"]["message"]
    assert report["job_contents"]["outputs"]["a"] == {"file": "a.h5"}


# claims: guarantee exit_codes
def test_a_run_that_is_stopped_writes_a_report(place):
    for i in range(8):
        place.map(f"map_{i}.h5", 8, 1)
    place.job('inputs:\n  sky: {map: "map_{0..7}.h5"}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n'
              'outputs:\n  a: {file: "a_{}.h5"}\nexecution: {batch: 1}\n')
    report = report_of(place, "--max-time", "0.001s", code=5)[1]
    assert report["error"]["kind"] == "stopped" and "--max-time" in report["error"]["message"]


def test_a_failed_run_overwrites_reports_alone(sky):
    precious = sky.folder / "report.json"
    for text in ("my notes", '{"program": "other"}', "[1, 2]"):
        precious.write_text(text)
        result = sky.armilla("run", "job.yaml", "--report", "report.json", "--set", "steps.0.analysis.lmax=x")
        assert result.code == 2 and "is not an Armilla report, so it is not overwritten" in result.error
        assert precious.read_text() == text
    result = sky.armilla("run", "job.yaml", "--report", "job.yaml")
    assert result.code == 2 and (sky.folder / "job.yaml").read_text().endswith(JOB)
    precious.unlink()
    result = sky.armilla("run", "job.yaml", "--report", "./a.h5")
    assert result.code == 2 and "is also written by" in result.error and not (sky.folder / "a.h5").exists()
    assert sky.armilla("run", "job.yaml", "--report", "report.json").code == 0
    assert sky.armilla("run", "job.yaml", "--report", "report.json", "--set", "steps.0.analysis.lmax=x").code == 2
    assert sky.report("report.json")["exit_code"] == 2


@pytest.mark.parametrize("ranks", RANKS)
def test_a_dry_run_writes_its_plan(sky, ranks):
    sky.remember()
    result, report = report_of(sky, "--dry-run", ranks=ranks)
    assert sky.leftovers() == ["report.json"]
    assert "the plan was written to report.json" in result.out
    assert report["dry_run"] is True and "error" not in report
    assert report["memory"]["host"] > report["memory"]["process"] > 0 and report["seconds"] > 0
    assert (report["exchange_bytes"]["total"] > 0) == (ranks > 1) and report["phases"]
    assert report["tightest_node"]["fits"] is True and report["tightest_node"]["ranks"] == max(ranks, 1)
    assert [(one["name"], one["path"]) for one in report["outputs"]] == [("a", "a.h5"), ("b", "0010.fits")]
    assert all(one["bytes"] > 0 for one in report["outputs"])
    assert report["job_contents"]["steps"][0]["analysis"]["lmax"] == 16
    refused = sky.armilla("verify", "report.json")
    assert refused.code == 2 and "is from a dry run" in refused.errors()[0]


@pytest.mark.parametrize("ranks", RANKS)
def test_a_dry_run_says_the_memory_before_it_misses_disk(place, ranks):
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, lmax: 60, fields: [T, E, B], seed: 1, maps: 4000,"
              " out: a}\n  - synthesis: {alm: a, grid: {healpix: {nside: 2048}}, out: m}\noutputs:\n  m: {file: m.h5}\n"
              "execution: {backend: cpu}\n")
    place.remember()
    result, report = report_of(place, "--dry-run", code=3, ranks=ranks)
    assert "predicted peak memory per rank: " in result.out and "predicted time: " in result.out
    assert "but all outputs on it need" in result.errors()[0]
    assert report["memory"]["host"] > 1e8 and report["outputs"][0]["bytes"] > 1e12
    assert report["error"]["kind"] == "resource" and "bytes free" in report["error"]["message"]
    assert place.leftovers() == ["report.json"]
    (place.folder / "report.json").unlink()
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 3 and "but all outputs on it need" in result.errors()[0]


@pytest.mark.parametrize("ranks, groups, part", [(2, 2, "2 groups of 1 rank, "), (3, 2, "2 groups of 1 or 2 ranks, "),
                                                 (3, 1, "1 group of 3 ranks, "), (0, 1, "1 group of 1 rank, ")])
@pytest.mark.parametrize("dry_run", [False, *sweep(True)])
def test_the_ranks_of_groups(place, ranks, groups, part, dry_run):
    place.job("steps:\n  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 8, seed: 3, maps: 5, out: a}\n"
              f"outputs:\n  a: {{file: \"a_{{}}.fits\"}}\nexecution: {{map_groups: {groups}}}\n")
    command = ("run", "job.yaml", "--dry-run") if dry_run else ("plan", "job.yaml", "--ranks", max(ranks, 1))
    assert "advice: the run uses " + part in place.armilla(*command, ranks=ranks if dry_run else 0).out


@pytest.mark.parametrize("ranks, dry", [(0, False), *sweep((0, True), (2, False), (2, True))])
def test_a_folder_whose_name_is_not_utf8(sky, ranks, dry):
    folder = sky.folder / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    for name in ("sky.h5", "window.dat", "job.yaml"):
        (sky.folder / name).rename(folder / name)
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launch, BINARY, "run", "job.yaml", "--report", "r.json", *["--dry-run"][:dry]], cwd=folder,
                          capture_output=True, env=environment(), timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads((folder / "r.json").read_text())["exit_code"] == 0


def test_a_failed_run_writes_its_report_into_a_folder_that_it_made(sky):
    result = sky.armilla("run", "job.yaml", "--output-dir", "out", "--report", "out/r.json", "--memory-limit", "1M")
    assert result.code == 3
    assert sky.report("out/r.json")["error"]["kind"] == "resource"


def test_a_long_output_folder_is_a_clear_error(sky):
    result = sky.armilla("run", "job.yaml", "--output-dir", "x" * 300)
    assert result.code == 3 and "cannot create folder" in result.errors()[0]


@pytest.mark.parametrize("columns, note", [("B_l", True), ("T E B", False)])
def test_the_report_says_what_one_column_does(sky, columns, note):
    rows = " 1" * len(columns.split())
    (sky.folder / "window.dat").write_text(f"# L {columns}\n" + "".join(f"{l}{rows}\n" for l in range(33)))
    said = sky.armilla("run", "job.yaml").out
    assert ("the only column of window.dat multiplies all components: T, E, B" in said) == note

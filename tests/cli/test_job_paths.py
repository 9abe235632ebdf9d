"""Paths in jobs: variables and the home folder, --output-dir, and names of outputs that the next job reads in order."""
import json

import h5py
import numpy as np
import pytest

from tiers import RANKS, sweep

JOB = """inputs:
  sky: {map: "INPUT"}
steps:
  - analysis: {map: sky, lmax: 8, out: a}
outputs:
  a: {file: "OUTPUT"}
"""
SPECTRUM = "spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 6, seed: 3"


def job(place, given="sky.h5", output="a.h5", name="job.yaml"):
    place.job(JOB.replace("INPUT", given).replace("OUTPUT", output), name)


@pytest.mark.parametrize("ranks", RANKS)
def test_variables_and_the_home_folder_are_expanded(place, ranks):
    (place.folder / "data").mkdir()
    (place.folder / "sky.h5").rename(place.folder / "data/sky.h5")
    variables = {"HOME": str(place.folder / "data"), "OUT_1": str(place.folder)}
    job(place, "~/sky.h5", "${OUT_1}/a_$$1.h5")
    result = place.armilla("run", "job.yaml", ranks=ranks, variables=variables)
    assert result.code == 0, result.error
    assert (place.folder / "a_$1.h5").exists()
    result = place.armilla("run", "job.yaml", "--set", "inputs.sky.map=$DATA/sky.h5", "--dry-run", ranks=ranks,
                           variables={**variables, "DATA": str(place.folder / "data")})
    assert result.code == 0, result.error


@pytest.mark.parametrize("ranks", RANKS)
def test_relative_outputs_go_below_the_folder_of_outputs(place, ranks):
    job(place, output="parts/a.h5")
    place.remember()
    more = ["--output-dir", "runs/first"]
    result = place.armilla("run", "job.yaml", *more, "--dry-run", ranks=ranks)
    assert result.code == 0, result.error
    assert place.leftovers() == []  # a dry run leaves no folder
    result = place.armilla("run", "job.yaml", *more, "--set", "steps.0.analysis.out=b", ranks=ranks)
    assert result.code == 2 and place.leftovers() == []
    result = place.armilla("run", "job.yaml", *more, "--report", "report.json", ranks=ranks)
    assert result.code == 0, result.error
    assert (place.folder / "runs/first/parts/a.h5").exists()
    assert place.leftovers() == ["report.json", "runs"]
    # Absolute paths stay.
    result = place.armilla("run", "job.yaml", *more, "--set", f"outputs.a.file={place.folder}/b.h5", ranks=ranks)
    assert result.code == 0 and (place.folder / "b.h5").exists(), result.error


def test_a_folder_of_outputs_that_cannot_be_is_refused(place):
    job(place)
    result = place.armilla("run", "job.yaml", "--output-dir", "sky.h5/out")
    assert result.code == 3 and "--output-dir" in result.errors()[0] and "sky.h5" in result.errors()[0]
    result = place.armilla("run", "job.yaml", "--output-dir", "")
    assert result.code == 2 and "--output-dir" in result.errors()[0]


def test_status_verify_and_plan_find_the_folder_of_outputs(place):
    place.job(f"steps:\n  - random_alm: {{{SPECTRUM}, maps: 3, out: a}}\noutputs:\n  a: {{file: \"a_{{}}.h5\"}}\n")
    more = ["--output-dir", str(place.folder / "out")]
    assert place.armilla("run", "job.yaml", *more).code == 0
    assert "3 maps: 3 done" in place.armilla("status", "job.yaml", *more).out
    assert "3 files" in place.armilla("verify", "job.yaml", *more).out
    result = place.armilla("plan", "job.yaml", "--ranks", "2", "--sbatch", *more)
    assert result.code == 0 and f"--output-dir {place.folder}/out\n" in result.out, result.error


def numbers(place, *names):
    return [h5py.File(place.folder / name)["alm"][:].tobytes() for name in names]


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("pattern", ["a_*.h5", *sweep("a_{00..11}.h5")])
def test_what_one_job_writes_the_next_reads_in_the_same_order(place, ranks, pattern):
    place.job(f"steps:\n  - random_alm: {{{SPECTRUM}, maps: 12, out: a}}\n"
              "outputs:\n  a: {file: \"a_{}.h5\"}\n")
    place.remember()
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error
    names = [f"a_{i:02}.h5" for i in range(12)]
    assert place.leftovers() == names
    place.job(f"inputs:\n  a: {{alm: \"{pattern}\"}}\nsteps:\n  - scale: {{alm: a, factor: 1, out: b}}\n"
              "outputs:\n  b: {file: \"b_{:04}.h5\"}\n")
    result = place.armilla("run", "job.yaml", ranks=ranks)
    assert result.code == 0, result.error
    assert numbers(place, *names) == numbers(place, *[f"b_{i:04}.h5" for i in range(12)])
    result = place.armilla("run", "job.yaml", "--set", "outputs.b.file=c.h5", ranks=ranks)
    assert result.code == 0, result.error
    with h5py.File(place.folder / "c.h5") as file:
        assert [alm.tobytes() for alm in file["alm"][:]] == numbers(place, *names)


def test_a_range_from_one_digit_to_two_gets_two(place):
    for i in range(8, 12):
        place.map(f"m_{i}.h5", 8, 1, change=lambda values: values.__setitem__(slice(None), i))
    job(place, "m_{8..11}.h5", "a_{}.h5")
    place.remember()
    assert place.armilla("run", "job.yaml", "--report", "report.json").code == 0
    assert place.leftovers() == ["a_08.h5", "a_09.h5", "a_10.h5", "a_11.h5", "report.json"]
    with h5py.File(place.folder / "a_09.h5") as file:
        np.testing.assert_allclose(file["alm"][0][0], 9 * np.sqrt(4 * np.pi), rtol=1e-9)
    assert len(json.loads((place.folder / "report.json").read_text())["checksums"]) == 4

"""perf/scaling.py: the fit finds the model that made the points, and points are told apart."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "perf"))
import scaling  # noqa: E402

RATES = {"legendre": 3e10, "rings": 5e9}
ALPHA, BETA = 2e-5, 4e9


def point(ranks, measured=True, threads=1, **changes):
    """A point whose times follow the model exactly."""
    made = {"study": "strong", "grid": "gauss:4096", "lmax": 4095, "spin": 0, "direction": "synthesis", "maps": 1,
            "precision": "double", "ranks": ranks, "threads": threads, "nodes": ranks, "measured": measured,
            "legendre_fma": 3.5e10, "ring_work": 5e8, "legendre_bytes": 4e8, "memory_rate": 1e10,
            "imbalance": {"legendre": 1 + 0.001 * ranks, "rings": 1 + 0.002 * ranks},
            "exchange": {"total_bytes": 1e8 * (ranks - 1) / ranks, "largest_rank_bytes": 1e8 * (ranks - 1) / ranks**2,
                         "largest_pair_bytes": 1e8 / ranks**2, "partners": ranks - 1}}
    phases = {"legendre": scaling.largest(made, "legendre") / threads / RATES["legendre"],
              "rings": scaling.largest(made, "rings") / threads / RATES["rings"],
              "exchange": (ranks - 1) * ALPHA + made["exchange"]["largest_rank_bytes"] / BETA}
    made["predicted"] = {"seconds": sum(phases.values()), "phases": phases}
    if measured:
        made["wall"] = {"min": 0, "median": sum(phases.values()), "max": 9}
        made["ranks_phases"] = {name: {"min": 0, "median": 0, "max": value} for name, value in phases.items()}
        made["phases"] = phases
        made["fma_peak"] = 4e10 * ranks * threads
    made.update(changes)
    return made


def test_a_fit_finds_the_model_that_made_the_points():
    points = [point(ranks, threads=threads) for ranks, threads in ((1, 1), (1, 4), (2, 2), (8, 1), (64, 1))]
    model = scaling.fit(points)
    # Solutions of normal equations of two columns, in double precision.
    assert model["legendre"] == pytest.approx(RATES["legendre"], rel=1e-9)
    assert model["rings"] == pytest.approx(RATES["rings"], rel=1e-9)
    assert model["alpha"] == pytest.approx(ALPHA, rel=1e-6)
    assert model["beta"] == pytest.approx(BETA, rel=1e-6)
    assert max(model["difference"].values()) < 1e-6
    for one in points:
        assert scaling.modelled(one, model) == pytest.approx(scaling.phases_of(one), rel=1e-6)


def test_coefficients_are_never_negative():
    # Falls with the first column: alone it would be negative.
    assert scaling.least_relative([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]], [3.0, 2.0, 1.0])[0] == 0
    assert scaling.least_relative([[0.0, 0.0]], [1.0, 1.0]) == [0.0]


def test_predicted_points_are_not_fitted():
    assert scaling.fit([point(2, measured=False), point(4, measured=False)]) is None


def test_points_of_several_files_make_studies(tmp_path):
    for name, content in (("a.json", [point(1), point(1, spin=2)]), ("b.json", point(4)),
                          ("c.json", [point(4, measured=False), point(4, wall={"median": 0.5})])):
        (tmp_path / name).write_text(json.dumps(content))
    points = scaling.load(sorted(tmp_path.iterdir()))
    assert [(one["spin"], one["ranks"], one["measured"]) for one in points] == [
        (0, 1, True), (0, 4, False), (0, 4, True), (2, 1, True)]
    assert points[2]["wall"]["median"] == 0.5  # the last of equal ones


def test_rows_say_what_was_measured():
    rows = scaling.table([point(1), point(4), point(16, measured=False)]).splitlines()
    assert len(rows) == 5
    assert "| measured |" in rows[3] and "| predicted |" in rows[4]
    assert rows[3].rstrip().endswith("| 1.00 |") and rows[4].rstrip().endswith("|  |")


def test_efficiency_is_that_against_the_fewest_ranks_of_its_kind():
    points = [point(2), point(8), point(1, measured=False)]
    expected = scaling.seconds_of(points[0]) * 2 / (scaling.seconds_of(points[1]) * 8)
    assert scaling.efficiency(points, points[1]) == pytest.approx(expected, rel=1e-12)
    assert scaling.efficiency(points, points[2]) == 1


def run_program(folder, *arguments, modules=()):
    """Runs the program without these modules."""
    for module in modules:
        (folder / f"{module}.py").write_text(f"raise ImportError('no module named {module}')\n")
    return subprocess.run([pathlib.Path(scaling.__file__), *arguments], cwd=folder, text=True, capture_output=True,
                          env={**os.environ, "PYTHONPATH": str(folder)})


def test_without_matplotlib_a_sentence_says_what_to_do(tmp_path):
    (tmp_path / "points.json").write_text(json.dumps([point(1), point(2)]))
    told = run_program(tmp_path, "points.json", "--table", modules=["matplotlib"])
    assert told.returncode == 0 and "| 2 x 1 |" in told.stdout, told.stderr
    refused = run_program(tmp_path, "points.json", "--out", "pictures", modules=["matplotlib"])
    assert refused.returncode == 1 and refused.stdout == "" and not (tmp_path / "pictures").exists()
    assert refused.stderr.startswith("scaling.py: --out needs matplotlib (no module named matplotlib): install it")
    assert len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize("content", [None, "[1", '{"program": "armilla"}', "[7]"])
def test_files_without_points_are_named(tmp_path, content):
    if content is not None:
        (tmp_path / "points.json").write_text(content)
    told = run_program(tmp_path, "points.json")
    assert told.returncode == 1 and told.stderr.startswith("scaling.py: points.json "), told.stderr
    assert len(told.stderr.splitlines()) == 1

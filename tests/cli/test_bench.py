"""armilla bench: what its records say, on small grids. No time decides a test."""
import json

import pytest

from tiers import RANKS, sweep

KEYS = {"grid", "lmax", "spin", "direction", "maps", "precision", "backend", "engine", "theta_resampling",
        "resampled", "rounds", "ranks", "threads",
        "plan_seconds", "seconds", "phases", "fma", "fma_peak", "fma_fraction", "error"}


def bench(place, *arguments, ranks=0, threads=1):
    result = place.armilla("bench", *arguments, "--json", "b.json", ranks=ranks, threads=threads)
    assert result.code == 0, result.error
    return json.loads((place.folder / "b.json").read_text())


def test_a_record_has_parameters_times_counts_and_error(place):
    (record,) = bench(place, "--grid", "gauss:32:70", "--lmax", 12, "--rounds", 4, "--backend", "cpu", threads=2)
    assert set(record) == KEYS
    assert {key: record[key] for key in ("grid", "lmax", "spin", "direction", "maps", "precision", "backend", "engine",
                                         "theta_resampling", "resampled", "rounds", "ranks", "threads")} == {
        "grid": "gauss:32:70", "lmax": 12, "spin": 0, "direction": "synthesis", "maps": 1, "precision": "double",
        "backend": "cpu", "engine": "auto", "theta_resampling": "auto", "resampled": False, "rounds": 4, "ranks": 1, "threads": 2}
    assert len(record["seconds"]) == 4
    assert all(second > 0 for second in record["seconds"])
    assert set(record["phases"]) == {"legendre", "exchange", "rings"}
    assert record["phases"]["exchange"] == 0
    assert 0 < record["phases"]["legendre"] <= max(record["seconds"])
    # With so small an lmax, all m reach all 16 ring pairs; sum over m of the pairs of degrees, 6 FMA each.
    assert record["fma"] == 16 * 6 * sum((14 - m) // 2 for m in range(13))
    rate = record["fma"] / record["phases"]["legendre"]
    assert record["fma_fraction"] == pytest.approx(rate / record["fma_peak"], rel=1e-12)  # the same three numbers


@pytest.mark.parametrize("grid", ["healpix:8", *sweep("gauss:24", "cc:40", "reduced_gauss:64:4")])
@pytest.mark.parametrize("ranks", RANKS)
def test_every_transform_agrees_with_the_reference_engine(place, grid, ranks):
    records = bench(place, "--grid", grid, "--lmax", 23, "--spin", "0,1,2,3,4", "--direction",
                    "synthesis,analysis,adjoint,adjoint_analysis", "--maps", "1,3", "--theta-resampling", "off,on",
                    "--rounds", 1, ranks=ranks)
    assert len(records) == 5 * 4 * 2 * 2
    for record in records:
        assert record["error"] < 1e-12, record  # double's 1e-16 times the growth of the recurrences, with room
        assert record["ranks"] == max(ranks, 1)


def test_theta_resampling_is_on_where_it_was_asked_for_or_saves_time(place):
    def found(grid, lmax, choices, *more):
        records = bench(place, "--grid", grid, "--lmax", lmax, "--theta-resampling", choices, "--rounds", 1, *more)
        assert all(record["error"] < 1e-12 for record in records)
        return [(record["theta_resampling"], record["resampled"]) for record in records]

    assert found("healpix:16", 32, "auto,on,off") == [("auto", False), ("on", True), ("off", False)]  # a small problem
    assert found("healpix:1024", 1023, "auto") == [("auto", True)]  # four times as many rings as needed
    assert found("gauss:1024", 1023, "auto") == [("auto", False)]  # not one ring too many
    lines = place.armilla("bench", "--grid", "healpix:8", "--theta-resampling", "auto,on", "--rounds", 1).out.splitlines()
    assert lines[0].split()[8] == "resample"
    assert [line.split()[8] for line in lines[1:]] == ["auto:off", "on"]


def test_single_precision_shows_its_rounding(place):
    for record in bench(place, "--grid", "healpix:8", "--lmax", 16, "--precision", "single", "--direction",
                        "synthesis,adjoint", "--theta-resampling", "off,on", "--rounds", 1):
        assert 1e-9 < record["error"] < 1e-6, record  # float's 6e-8, which double would not have


def test_the_count_grows_with_maps_as_shared_recurrences_do(place):
    one, three = bench(place, "--grid", "gauss:16", "--maps", "1,3", "--rounds", 1)
    assert three["fma"] / one["fma"] == pytest.approx((2 + 4 * 3) / (2 + 4), rel=1e-12)  # exact but for one division


def test_lists_are_swept_in_order_and_shown_as_a_table(place):
    arguments = ("--grid", "gauss:8,healpix:2", "--spin", "0,2", "--rounds", "1")
    records = bench(place, *arguments)
    assert [(r["grid"], r["lmax"], r["spin"]) for r in records] == [
        ("gauss:8", 7, 0), ("gauss:8", 7, 2), ("healpix:2", 5, 0), ("healpix:2", 5, 2)]
    lines = place.armilla("bench", *arguments).out.splitlines()
    assert len(lines) == 5
    assert lines[0].split()[:4] == ["grid", "lmax", "spin", "direction"]
    assert lines[4].split()[:4] == ["healpix:2", "5", "2", "synthesis"]


@pytest.mark.parametrize("arguments, parts", [
    (["--grid", "cube:8"], ["grid cube:8", "there is no grid 'cube'", "healpix:NSIDE",
                            "gauss:NLAT[:NPHI[:PHI0]]"]),
    (["--grid", "gauss:many"], ["grid gauss:many", "nlat = many is not an integer"]),
    (["--grid", "healpix:8:9"], ["grid healpix:8:9", "a healpix grid takes 1 parameter, but 2 were specified"]),
    (["--grid", "healpix:600000000"], ["nside = 600000000 is out of range"]),
    (["--grid", "gauss:8", "--direction", "sideways"],
     ["--direction sideways", "synthesis, analysis, adjoint, adjoint_analysis"]),
    (["--grid", "gauss:8", "--backend", "steam"], ["--backend steam", "auto, cuda, cpu"]),
    (["--grid", "gauss:8", "--engine", "steam"], ["--engine steam", "auto", "reference"]),
    (["--grid", "gauss:8", "--theta-resampling", "maybe"], ["--theta-resampling maybe", "auto, on, off"]),
    (["--grid", "gauss:8", "--precision", "half"], ["--precision half", "double, single"]),
    (["--grid", "gauss:8", "--maps", "0"], ["--maps 0 is out of range"]),
    (["--grid", "gauss:8", "--lmax", "1", "--spin", "2"], ["--lmax 1 is below --spin 2"]),
    (["--grid", "gauss:8", "--json", "nowhere/b.json"], ["nowhere"]),
])
@pytest.mark.parametrize("ranks", RANKS)
def test_bad_requests_are_refused(place, arguments, parts, ranks):
    result = place.armilla("bench", *arguments, ranks=ranks)
    assert result.code == 2, result.error
    assert len(result.errors()) == 1
    for part in parts:
        assert part in result.errors()[0]

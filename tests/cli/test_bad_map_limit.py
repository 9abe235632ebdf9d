"""Campaigns that leave out maps up to a limit, and what maps are called."""
import h5py
import numpy as np
import pytest

from test_campaigns import clear, contents, run, settings
from tiers import RANKS, sweep

NUMBERS = range(101, 113)
MAPS = len(NUMBERS)
JOB = """inputs:
  sky: {map: "sims/map_{101..112}.h5"}
steps:
  - analysis:   {map: sky, lmax: 6, out: a}
  - spectra:    {alm: a, out: cl}
  - statistics: {spectra: cl, out: stats}
outputs:
  a:     {file: "a_{}.h5"}
  cl:    {file: cl.h5}
  stats: {file: stats.h5}
"""
# (ranks, groups, batch)
SHARED_OUT = [(0, 1, 12), (3, 3, 1), *sweep((0, 1, 1), (3, 1, 2))]
ALONE = [(0, 1, 1), *sweep((0, 1, 12), (3, 1, 2), (3, 3, 1))]


@pytest.fixture
def campaign(place):
    (place.folder / "sims").mkdir()
    for i in NUMBERS:
        seed = np.random.default_rng(i)
        place.map(f"sims/map_{i}.h5", 4, 1, change=lambda values: values.__setitem__(slice(None), seed.normal(size=values.shape)))
    place.job(JOB)
    place.remember()
    return place


def damage(place, *numbers):
    for i in numbers:
        with h5py.File(place.folder / f"sims/map_{i}.h5", "r+") as file:
            file["map"][0, 3] = np.nan


def limit(text):
    return ["--set", f"execution.on_bad_map={{skip: {{at_most: {text}}}}}"]


@pytest.mark.parametrize("ranks, groups, batch", ALONE)
@pytest.mark.parametrize("allowed, too_few", [("2", "1"), ("17%", "16%")])
def test_more_maps_than_allowed_end_the_run(campaign, allowed, too_few, ranks, groups, batch):
    damage(campaign, 104, 111)
    result = run(campaign, *settings(groups, batch), *limit(too_few), ranks=ranks, code=2)
    (error,) = result.errors()
    assert f"execution.on_bad_map.skip.at_most = {too_few} exceeded: 2 of 12 maps were left out, the first of them map 104" in error
    assert not {"cl.h5", "stats.h5", "a_104.h5", "a_111.h5"} & set(campaign.leftovers())
    # The same command with a limit that is not exceeded continues.
    run(campaign, *settings(groups, batch), *limit(allowed), ranks=ranks)
    assert sorted(contents(campaign)) == sorted([f"a_{i}.h5" for i in NUMBERS if i not in (104, 111)] + ["cl.h5", "stats.h5"])
    with h5py.File(campaign.folder / "cl.h5") as file:
        assert file["present"][:].tolist() == [i not in (104, 111) for i in NUMBERS]


@pytest.mark.parametrize("ranks", RANKS)
def test_parts_that_leave_out_few_each_may_leave_out_too_many_together(campaign, ranks):
    damage(campaign, 101, 110)
    run(campaign, *limit("1"), "--part", "1/2", ranks=ranks)
    result = run(campaign, *limit("1"), "--part", "2/2", ranks=ranks, code=2)
    assert "2 of 12 maps were left out, the first of them map 101" in result.errors()[0]
    assert "cl.h5" not in campaign.leftovers()


@pytest.mark.parametrize("ranks, groups, batch", SHARED_OUT)
def test_a_quiet_run_names_the_maps_that_it_leaves_out(campaign, ranks, groups, batch):
    damage(campaign, 101, 106, 112)
    result = run(campaign, *settings(groups, batch), "--quiet", "--set", "execution.on_bad_map=skip", ranks=ranks)
    assert result.out == ""
    for i in (101, 106, 112):
        assert result.error.count(f"map {i} is left out") == 1
    assert result.error.count("is left out") == 3 and "map_106.h5" in result.error
    clear(campaign)
    result = run(campaign, *settings(groups, batch), "--quiet", "--restart", *limit("2"), ranks=ranks, code=2)
    assert result.error.count("is left out") == 3 and "3 of 12 maps" in result.errors()[0]


@pytest.mark.parametrize("ranks, groups, batch", ALONE)
def test_maps_are_called_by_the_numbers_of_their_files(campaign, ranks, groups, batch):
    damage(campaign, 105)
    result = run(campaign, *settings(groups, batch), ranks=ranks, code=2)
    assert "map 105 cannot be used" in result.errors()[0]
    run(campaign, *settings(groups, batch), "--set", "execution.on_bad_map=skip", "--report", "report.json", ranks=ranks)
    (skipped,) = campaign.report("report.json")["campaign"]["skipped"]
    assert skipped["map"] == "105"
    assert "map 105: " in campaign.armilla("status", "job.yaml").out

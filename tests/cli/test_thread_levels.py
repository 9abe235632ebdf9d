"""MPI libraries that allow fewer calls from threads than MPI_THREAD_MULTIPLE: campaigns in groups of several ranks have the
same files, bit for bit. The trial program lowers the level, and ends a run with exit code 99 where a second thread calls
MPI."""
import pytest

from conftest import TRIAL, Workplace
from test_campaigns import CAMPAIGN, clear, contents, make_maps, settings, write_alm
from tiers import sweep


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of a campaign, and its outputs on one rank."""
    place = Workplace(tmp_path_factory.mktemp("levels"))
    make_maps(place)
    write_alm(place, "other.h5", 15)
    place.job(CAMPAIGN)
    place.remember()
    done = place.armilla("run", "job.yaml", *settings(1, 2))
    assert done.code == 0, done.error
    return place, contents(place)


# claims: guarantee thread_levels
@pytest.mark.parametrize("level, ranks, groups", [("funneled", 2, 1), ("funneled", 4, 2), *sweep(
    ("funneled", 5, 2), *[(level, *way) for level in ("serialized", "multiple") for way in [(2, 1), (4, 2), (5, 2)]])])
def test_groups_of_several_ranks_write_the_same_files(whole, level, ranks, groups):
    place, expected = whole
    clear(place)
    done = place.armilla("run", "job.yaml", *settings(groups, 2), ranks=ranks, program=TRIAL,
                         variables={"ARMILLA_TRIAL_MPI_THREADS": level})
    assert done.code == 0, done.error
    found = contents(place)
    assert sorted(found) == sorted(expected)
    for name, content in expected.items():
        assert found[name] == content, name


@pytest.mark.parametrize("ranks, groups", [(0, 1), *sweep((3, 3))])
def test_groups_of_one_rank_write_behind_all_the_same(whole, ranks, groups):
    place, expected = whole
    clear(place)
    done = place.armilla("run", "job.yaml", *settings(groups, 2), "--report", "report.json", ranks=ranks, program=TRIAL,
                         variables={"ARMILLA_TRIAL_MPI_THREADS": "funneled"})
    assert done.code == 0, done.error
    assert contents(place) == expected


def test_a_call_from_a_second_thread_would_be_noticed(whole):
    """Where MPI provides MPI_THREAD_MULTIPLE, the thread of files calls it."""
    place, _ = whole
    clear(place)
    done = place.armilla("run", "job.yaml", *settings(1, 2), ranks=2, program=TRIAL,
                         variables={"ARMILLA_TRIAL_MPI_THREADS": "watched"})
    assert done.code == 99 and "from a second thread, which this MPI does not allow" in done.error
    clear(place)


def test_an_mpi_without_threads_is_refused(whole):
    place, _ = whole
    done = place.armilla("run", "job.yaml", program=TRIAL, variables={"ARMILLA_TRIAL_MPI_THREADS": "single"})
    assert done.code == 3
    assert "MPI_THREAD_FUNNELED" in done.error and "use another MPI" in done.error

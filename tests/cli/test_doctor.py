"""armilla doctor: what it says of ranks, binding, MPI, files and arithmetic; findings and exit codes. No time decides a
test."""
import json
import os

import pytest

from conftest import EMULATED, TRIAL
from tiers import RANKS


def doctor(place, *arguments, code, ranks=0, **more):
    result = place.armilla("doctor", *arguments, ranks=ranks, **more)
    assert result.code == code, result.out + result.error
    return result


def facts(place, *arguments, code, ranks=0, **more):
    return json.loads(doctor(place, "--json", *arguments, code=code, ranks=ranks, **more).out)


def hidden(place):
    return [path.name for path in place.folder.iterdir() if path.name.startswith(".")]


def test_one_rank_without_findings(place):
    cpus = sorted(os.sched_getaffinity(0))
    found = facts(place, code=0)
    assert found["findings"] == [] and found["exit_code"] == 0
    (rank,) = found["ranks"]
    assert rank["rank"] == 0 and rank["host"] == os.uname().nodename
    assert rank["cpus"] == cpus and 1 <= rank["cores"] <= len(cpus)
    assert rank["threads"] == 1 and rank["instruction_set"]
    assert found["mpi"]["library"].startswith(("Open MPI", "MPICH", "Intel")) and found["mpi"]["threads"].startswith("MPI_THREAD_")
    files = found["file_system"]
    assert files["written_bytes"] == 12 * 512 * 512 * 8 and files["locks"] == "right"
    assert files["write_seconds"] > 0 and files["read_seconds"] > 0 and files["free_bytes"] > 0
    arithmetic = found["arithmetic"]
    assert 0 < arithmetic["round_trip"] < arithmetic["limit"] == 1e-12
    assert 0 < arithmetic["exact_map"] < 1e-12
    assert hidden(place) == []


def test_the_page_names_what_was_found(place):
    page = doctor(place, code=0).out
    assert len(page.splitlines()) < 25
    for word in ("ranks", "on 1 node", "memory", "MPI_THREAD_", "GPUs", "file system", "locks work", "round trip", "no findings"):
        assert word in page, word


def test_more_threads_than_cpus_are_a_warning(place):
    """Each rank may use all CPUs of this machine."""
    threads = len(os.sched_getaffinity(0))
    found = facts(place, code=1, ranks=3, threads=threads)
    assert [rank["rank"] for rank in found["ranks"]] == [0, 1, 2]
    assert all(rank["launched_ranks"] == 3 for rank in found["ranks"])
    (finding,) = found["findings"]
    assert finding["severity"] == "warning" and finding["topic"] == "binding"
    assert f"3 ranks with {3 * threads} threads" in finding["text"] and "OMP_NUM_THREADS" in finding["text"]
    assert found["arithmetic"]["round_trip"] < 1e-12 and found["file_system"]["locks"] == "right"
    assert hidden(place) == []


def test_ranks_that_share_one_cpu_are_a_warning(place):
    cpu = min(os.sched_getaffinity(0))
    found = facts(place, code=1, threads=2, prefix=("taskset", "-c", str(cpu)))
    assert found["ranks"][0]["cpus"] == [cpu]
    assert f"1 rank with 2 threads share CPUs {cpu}:" in found["findings"][0]["text"]


def test_every_rank_ends_with_the_code_of_the_report(place):
    script = 'armilla=$1; shift; "$armilla" "$@" >/dev/null; echo $? >"code.$OMPI_COMM_WORLD_RANK"'
    done = place.armilla("doctor", "--folder", "nowhere", ranks=3, prefix=("bash", "-c", script, "bash"))
    assert done.code == 0
    assert [(place.folder / f"code.{rank}").read_text().strip() for rank in range(3)] == ["3"] * 3


@pytest.mark.parametrize("ranks", RANKS)
def test_a_folder_that_cannot_be_written_is_an_error(place, ranks):
    """Root may write everywhere, but for /proc."""
    for folder in ("/proc", str(place.folder / "nowhere")):
        found = facts(place, "--folder", folder, code=3, ranks=ranks)
        errors = [finding for finding in found["findings"] if finding["severity"] == "error"]
        assert len(errors) == 1 and errors[0]["topic"] == "file system"
        assert f"folder '{folder}' is not writable" in errors[0]["text"] and "--folder" in errors[0]["text"]
        assert found["file_system"]["written_bytes"] == 0
        assert found["arithmetic"]["round_trip"] < 1e-12


def test_a_full_disk_is_an_error_that_leaves_nothing(place):
    found = facts(place, code=3, prefix=("bash", "-c", 'ulimit -f 1000; exec "$@"', "bash"))
    (error,) = found["findings"]
    assert error["severity"] == "error" and error["topic"] == "file system" and "ulimit -f" in error["text"]
    assert hidden(place) == []


def test_an_mpi_that_sees_one_rank_of_several_is_an_error(place):
    found = facts(place, code=3, variables={"PMI_SIZE": "4"})
    assert any("the launcher started 4 ranks, but MPI sees 1" in finding["text"] for finding in found["findings"])


def test_the_level_of_mpi_threads_is_that_of_the_library(place):
    found = facts(place, code=0, program=TRIAL, variables={"ARMILLA_TRIAL_MPI_THREADS": "funneled"})
    assert found["mpi"]["threads"] == "MPI_THREAD_FUNNELED"


def test_devices_are_named_and_checked(place):
    found = facts(place, code=0, program=EMULATED, variables={"ARMILLA_EMULATION": "devices=1"})
    assert found["ranks"][0]["device"] and found["ranks"][0]["visible_devices"] == 1
    assert found["device_check"].startswith("passed")
    assert found["mpi"]["device_exchange"] in ("no", "right")  # tried where MPI says that it takes device memory
    found = facts(place, code=1, program=EMULATED, variables={"ARMILLA_EMULATION": "devices=2"})
    assert "2 GPUs are visible, but only 1 are used by 1 ranks" in found["findings"][0]["text"]


def test_a_device_that_computes_wrongly_is_an_error(place):
    found = facts(place, code=3, program=EMULATED, variables={"ARMILLA_EMULATION": "row_error=1e-3"})
    assert found["device_check"].startswith("failed: GPU 'emulated' of rank 0 on ")
    assert found["findings"][0]["severity"] == "error" and found["findings"][0]["topic"] == "GPU"


def test_bad_arguments(place):
    assert place.armilla("doctor", "--folder").code == 2
    assert place.armilla("doctor", "one").code == 2
    assert "1 warnings, 3 errors" in place.armilla("doctor", "--help").out

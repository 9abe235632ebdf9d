"""Jobs that need more memory than there is: refused before anything large is allocated, with the figures."""
import os
import subprocess

import pytest
from conftest import BINARY, environment
from tiers import RANKS, sweep

# The map that it makes takes 2.6 GB.
LARGE = ("inputs:\n  sky: {map: sky.h5}\nsteps:\n  - analysis: {map: sky, lmax: 12, out: a}\n"
         "  - synthesis: {alm: a, grid: {equiangular: {rule: cc, nlat: 129, nphi: 2540000}}, out: b}\noutputs:\n"
         "  b: {file: b.h5, precision: single}\n"
         "execution: {backend: cpu}\n")
SMALL = LARGE.replace("129", "65").replace("2540000", "128")


def refused(place, result, *parts):
    assert result.code == 3, result.error
    (error,) = result.errors()
    for part in ("job.yaml needs ", "; available: ", "--memory-limit", *parts):
        assert part in error
    assert place.leftovers() == []


@pytest.mark.parametrize("ranks", RANKS)
class TestMemoryLimit:
    # claims: guarantee memory_check
    def test_too_much_is_refused_with_figures(self, place, ranks):
        place.job(LARGE)
        place.remember()
        of_all = f"({max(ranks, 1)} rank{'s' if ranks > 1 else ''}); available: 1.0 GiB (the specified memory limit)"
        refused(place, place.armilla("run", "job.yaml", "--memory-limit", "1G", ranks=ranks), of_all)
        variables = {"ARMILLA_MEMORY_LIMIT": "1GiB"}
        refused(place, place.armilla("run", "job.yaml", ranks=ranks, variables=variables), of_all)

    def test_the_option_stands_before_the_variable(self, place, ranks):
        place.job(SMALL)
        result = place.armilla("run", "job.yaml", "--memory-limit", "none", ranks=ranks,
                               variables={"ARMILLA_MEMORY_LIMIT": "1M"})
        assert result.code == 0, result.error

    def test_a_dry_run_says_it_and_goes_on(self, place, ranks):
        place.job(LARGE)
        result = place.armilla("run", "job.yaml", "--dry-run", "--memory-limit", "1G", ranks=ranks)
        assert result.code == 0, result.error
        assert "memory of the most heavily used node: " in result.out
        assert "; available: 1.0 GiB (the specified memory limit)" in result.out
        assert "warning: a run here would be rejected for lack of memory" in result.out
        place.job(SMALL)
        result = place.armilla("run", "job.yaml", "--dry-run", ranks=ranks)
        assert "memory of the most heavily used node: " in result.out
        assert "lack of memory" not in result.out

    def test_sizes_that_are_none_are_refused(self, place, ranks):
        place.job(SMALL)
        result = place.armilla("run", "job.yaml", "--memory-limit", "64 apples", ranks=ranks)
        assert result.code == 2
        assert "'64 apples' is not a valid memory size" in result.error
        result = place.armilla("run", "job.yaml", ranks=ranks, variables={"ARMILLA_MEMORY_LIMIT": "lots"})
        assert result.code == 2
        assert "ARMILLA_MEMORY_LIMIT" in result.error
        assert "'lots' is not a valid memory size" in result.error


@pytest.mark.parametrize("ranks", [2, *sweep(3)])
def test_the_ranks_of_a_node_are_summed(place, ranks):
    """A limit between what one rank takes, and all of them."""
    place.job(SMALL)
    place.remember()
    result = place.armilla("run", "job.yaml", "--dry-run", "--memory-limit", "none", "--report", "report.json", ranks=ranks)
    assert result.code == 0, result.error
    one = place.report("report.json")["memory"]["host"]
    (place.folder / "report.json").unlink()
    limit = ("--memory-limit", str(int(1.5 * one)))
    result = place.armilla("run", "job.yaml", *limit, "--dry-run")
    assert "lack of memory" not in result.out
    refused(place, place.armilla("run", "job.yaml", *limit, ranks=ranks), f"({ranks} ranks)")


class TestLimitsOfTheSystem:
    @pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="a sanitizer reserves a large address space")
    def test_ulimit_is_seen_before_anything_large_is_allocated(self, place):
        place.job(LARGE)
        place.remember()
        with open(place.folder.parent / "stderr.txt", "w+") as error:
            process = subprocess.Popen(["bash", "-c", f"ulimit -v 2500000; exec {BINARY} run job.yaml"],
                                       cwd=place.folder, env=environment(), stdout=subprocess.DEVNULL, stderr=error)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            error.seek(0)
            said = error.read()
        assert process.returncode == 3, said
        assert "job.yaml needs " in said and "(ulimit -v)" in said
        assert usage.ru_maxrss < 200 * 1024
        assert place.leftovers() == []

    def test_more_than_the_node_has_is_refused(self, place):
        total = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemTotal"))
        place.job(LARGE.replace("2540000", str(total * 1024 // 8 // 129 + 2)))
        place.remember()
        refused(place, place.armilla("run", "job.yaml"), "GiB on ")

    def test_a_benchmark_is_refused_as_well(self, place):
        result = place.armilla("bench", "--grid", "gauss:4096", "--lmax", "4", "--backend", "cpu",
                               "--memory-limit", "100M")
        assert result.code == 3
        assert "this benchmark needs " in result.error

"""Files do not depend on how many ranks and threads wrote them, bit for bit; examples run; a killed run leaves nothing."""
import shutil
import signal
import subprocess
import time

import pytest

from conftest import BINARY, SOURCE, environment
from tiers import sweep

JOB = """inputs:
  sky: {map: sky.h5, remove_monopole: true}
steps:
  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T, E, B], lmax: 40, mmax: 33, seed: 9, out: drawn}
  - synthesis:  {alm: drawn, grid: {healpix: {nside: 16}}, out: drawn_map}
  - analysis:   {map: drawn_map, lmax: 30, method: {jacobi: {iterations: 2}}, out: found}
  - analysis:   {map: sky, lmax: 20, out: sky_alm}
  - smooth:     {alm: sky_alm, fwhm_arcmin: 300, out: smooth_alm}
  - synthesis:  {alm: smooth_alm, grid: {gauss: {nlat: 19, nphi: 41}}, out: gauss_map}
  - adjoint_synthesis: {map: gauss_map, lmax: 17, mmax: 9, out: adjoint}
  - spectra:    {alm: found, out: cl}
outputs:
  drawn:     {file: drawn.h5}
  drawn_map: {file: drawn_map.fits, precision: single, ordering: nested}
  sky:       {file: sky_copy.fits}
  found:     {file: found.fits}
  sky_alm:   {file: sky_alm.h5, precision: single}
  gauss_map: {file: gauss_map.h5}
  adjoint:   {file: adjoint.h5}
  cl:        {file: cl.fits}
"""
OUTPUTS = ["drawn.h5", "drawn_map.fits", "sky_copy.fits", "found.fits", "sky_alm.h5", "gauss_map.h5", "adjoint.h5", "cl.fits"]


# claims: guarantee reproducible
@pytest.mark.parametrize("precision, ways", [("double", [(0, 1), (3, 2)]), ("single", [(0, 2), (2, 1)]), *sweep(
    *[(precision, [(1, 1), (2, 1), (3, 1), (7, 1), (1, 2), (3, 2)]) for precision in ("double", "single")])])
def test_files_are_equal_bit_for_bit_on_any_ranks_and_threads(place, precision, ways):
    place.job(JOB + f"execution: {{precision: {precision}}}\n")
    first = {}
    for ranks, threads in ways:
        for name in OUTPUTS:
            (place.folder / name).unlink(missing_ok=True)
        result = place.armilla("run", "job.yaml", ranks=ranks, threads=threads)
        assert result.code == 0, result.error
        for name in OUTPUTS:
            content = (place.folder / name).read_bytes()
            assert first.setdefault(name, content) == content, f"{name} on {ranks} ranks and {threads} threads"


JOBS = sorted((SOURCE / "config" / "jobs").glob("*.yaml"))


@pytest.mark.parametrize("job", JOBS, ids=[job.stem for job in JOBS])
@pytest.mark.parametrize("ranks", [0, *sweep(2)])
def test_every_example_runs(tmp_path, job, ranks):
    """On a copy, as outputs go beside the job; the large one at a smaller lmax."""
    shutil.copytree(SOURCE / "config" / "jobs", tmp_path / "jobs")
    for folder in ("masks", "spectra", "grids", "data"):
        shutil.copytree(SOURCE / "config" / folder, tmp_path / folder)
    smaller = []
    if job.stem == "quickstart":
        smaller = ["--set", "steps.0.random_alm.lmax=64", "--set", "steps.2.analysis.lmax=64",
                   "--set", "steps.1.synthesis.grid={healpix: {nside: 32}}"]
    before = set((tmp_path / "jobs").iterdir())
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launch, BINARY, "run", str(tmp_path / "jobs" / job.name), *smaller], text=True,
                          capture_output=True, timeout=120, env=environment())
    assert done.returncode == 0, done.stderr
    assert set((tmp_path / "jobs").iterdir()) > before


def size_of(path):
    """In bytes; 0 where there is no such file any more."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


# claims: guarantee whole_files
@pytest.mark.parametrize("name", ["kill.h5", *sweep("kill.fits")])
def test_a_killed_run_leaves_no_file_that_looks_finished(place, name):
    """Killed without warning while it writes: a map of 25 MB is not complete when the first MB is there."""
    place.job("steps:\n"
              "  - random_alm: {spectrum: dl.dat, spectrum_kind: dl, fields: [T], lmax: 4, out: a}\n"
              "  - synthesis: {alm: a, grid: {healpix: {nside: 512}}, out: m}\n"
              f"outputs:\n  m: {{file: {name}}}\n")
    place.remember()
    run = subprocess.Popen([BINARY, "run", "job.yaml"], cwd=place.folder, env=environment(), stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
    while run.poll() is None:
        if any(size_of(place.folder / left) > 1000000 for left in place.leftovers()):
            break
        time.sleep(0.001)
    run.kill()
    run.wait()
    assert run.returncode == -signal.SIGKILL, "the run was over before it could be killed"
    assert place.leftovers() != [] and name not in place.leftovers()

"""Steps, files and jobs on the ranks of a communicator; also under mpirun, on all its ranks."""
import pathlib
import shutil
import tempfile

import armilla
import numpy as np
import pytest

MPI = pytest.importorskip("mpi4py.MPI")

GRID, LMAX = "healpix:8", 12
FULL = np.random.default_rng(3).standard_normal((3, 768))


@pytest.fixture(scope="module")
def comm():
    return MPI.COMM_WORLD


@pytest.fixture
def folder(comm):
    """A folder of all ranks."""
    path = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
    yield pathlib.Path(path)
    comm.Barrier()
    if comm.rank == 0:
        shutil.rmtree(path)


def own_part(comm):
    """The pixels of this rank."""
    plan = armilla.Transform(GRID, LMAX, fields="T,Q,U", comm=comm)
    return np.concatenate([FULL[:, first:end] for first, end in plan.pixel_ranges], axis=1)


def test_results_are_those_of_one_rank(comm, folder):
    sky = armilla.Map(own_part(comm), grid=GRID, units="uK", comm=comm)
    alm = armilla.analysis(sky, lmax=LMAX, method={"jacobi": 2})
    whole = armilla.analysis(armilla.Map(FULL, units="uK"), lmax=LMAX, method={"jacobi": 2})
    assert alm.comm is comm and alm.metadata == whole.metadata
    np.testing.assert_array_equal(armilla.spectra(alm).values, armilla.spectra(whole).values)
    alm.write(folder / "alm.h5")
    np.testing.assert_array_equal(armilla.read(folder / "alm.h5").values, whole.values)
    np.testing.assert_array_equal(armilla.read(folder / "alm.h5", comm=comm).values, alm.values)
    run = armilla.run({"steps": [{"scale": {"map": "sky", "factor": 2, "out": "twice"}}]}, {"sky": sky}, comm=comm)
    np.testing.assert_array_equal(run["twice"].values, 2 * sky.values)


def test_ranks_have_their_own_points(comm):
    places = [(np.linspace(0.1, 3, 4 + rank), np.linspace(0, 6, 4 + rank)) for rank in range(comm.size)]
    alm = armilla.analysis(armilla.Map(own_part(comm), grid=GRID, comm=comm), lmax=LMAX)
    found = armilla.synthesis_at(alm, armilla.Points(*places[comm.rank], comm=comm))
    whole = armilla.synthesis_at(armilla.analysis(armilla.Map(FULL), lmax=LMAX),
                                 armilla.Points(*np.concatenate(places, axis=1)))
    first = sum(len(theta) for theta, _ in places[:comm.rank])
    np.testing.assert_array_equal(found.values, whole.values[:, first:first + len(found.points)])


def test_an_error_of_one_rank_is_that_of_all(comm):
    part = own_part(comm)
    short = armilla.Map(part[:, :-1] if comm.rank == comm.size - 1 else part, grid=GRID, comm=comm)
    with pytest.raises(armilla.InputError, match="Transform.pixel_ranges"):
        armilla.analysis(short, lmax=LMAX)
    with pytest.raises(armilla.InputError, match="lower lmax"):
        armilla.analysis(armilla.Map(part, grid=GRID, comm=comm), lmax=4000)


def test_ranks_may_have_no_pixels(comm):
    grid = "gauss:2:4"  # one pair of rings
    values = np.arange(8.0)
    ranges = armilla.Transform(grid, 1, comm=comm).pixel_ranges
    part = np.concatenate([values[first:end] for first, end in ranges] or [np.empty(0)])
    alm = armilla.analysis(armilla.Map(part, grid=grid, comm=comm), lmax=1)
    expected = armilla.spectra(armilla.analysis(armilla.Map(values, grid=grid), lmax=1))
    np.testing.assert_array_equal(armilla.spectra(alm).values, expected.values)


def test_whole_arrays_are_refused_on_several_ranks(comm):
    if comm.size > 1:
        with pytest.raises(armilla.InputError, match="each rank must have its own part"):
            armilla.analysis(FULL, lmax=LMAX, comm=comm)

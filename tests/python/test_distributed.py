"""Objects that ranks share: each rank's part, the whole, and steps on them."""
import armilla
import numpy as np
import pytest
from conftest import random_alm

pytestmark = pytest.mark.mpi


@pytest.fixture
def whole():
    alm = armilla.Alm(random_alm(12, (0, 2, 2)), fields="T,E,B", units="uK", coordsys="G")
    return armilla.synthesis(alm, grid="healpix:8"), alm


def on_root(world, value, root=0):
    return value if world.rank == root else None


def test_from_global_and_gather(world, whole):
    for value, own in zip(whole, ("pixel_ranges", "local_m")):
        root = world.size - 1
        parts = type(value).from_global(on_root(world, value, root), world, root)
        assert parts.metadata == value.metadata and parts.comm is world
        assert sum(world.allgather(parts.local.shape[-1])) == value.values.shape[-1]
        assert len(getattr(parts, own)) > 0 or parts.local.size == 0
        again = parts.gather(root)
        if world.rank == root:
            np.testing.assert_array_equal(again.values, value.values)
            assert again.metadata == value.metadata and again.comm is None
        else:
            assert again is None


def test_steps_are_bitwise_identical_to_one_process(world, whole, tmp_path_factory):
    sky, alm = whole
    found = armilla.analysis(sky, lmax=12, method={"jacobi": 2})
    parts = armilla.analysis(armilla.Map.from_global(on_root(world, sky), world), lmax=12, method={"jacobi": 2}, comm=world)
    assert type(parts) is armilla.Alm
    np.testing.assert_array_equal(parts.to_orders(range(13)), found.values)
    smooth = armilla.synthesis(armilla.smooth(parts, fwhm_arcmin=300, comm=world), grid="gauss:14", comm=world)
    expected = armilla.synthesis(armilla.smooth(found, fwhm_arcmin=300), grid="gauss:14")
    np.testing.assert_array_equal(smooth.to_pixels(range(expected.grid.npix)), expected.values)
    np.testing.assert_array_equal(armilla.spectra(parts, comm=world).values, armilla.spectra(found).values)
    path = world.bcast(str(tmp_path_factory.mktemp("shared") / "map.h5") if world.rank == 0 else None)
    smooth.write(path)
    np.testing.assert_array_equal(armilla.read(path).values, expected.values)
    np.testing.assert_array_equal(armilla.read(path, comm=world).local, smooth.local)


def test_pixels_of_the_program(world, whole):
    sky = whole[0]
    own = np.arange(sky.grid.npix)[world.rank::world.size][::-1]
    parts = armilla.Map.from_pixels(world, "healpix:8", own, sky.values[:, own], fields=sky.fields)
    np.testing.assert_array_equal(parts.to_pixels(own), sky.values[:, own])
    ranges = [np.arange(*ends) for ends in parts.pixel_ranges]
    np.testing.assert_array_equal(parts.local, sky.values[:, np.concatenate(ranges) if ranges else []])
    orders = [m for m in range(13) if m % world.size == world.rank]
    alm = whole[1]
    some = alm.to_orders(orders)
    np.testing.assert_array_equal(armilla.Alm.from_orders(world, 12, orders, some, fields="T,E,B").gather() or alm, alm)


def test_errors_on_one_rank_raise_on_all(world):
    with pytest.raises(armilla.InputError, match="pass the whole one"):
        armilla.Map.from_global(None, world)
    with pytest.raises(armilla.InputError, match="HEALPix"):
        armilla.Map.from_global(on_root(world, np.ones(11)), world)
    with pytest.raises(armilla.InputError, match="root = 7"):
        armilla.Map.from_global(None, world, root=7)
    with pytest.raises(armilla.InputError, match="root = 7"):
        armilla.Map.from_global(on_root(world, np.ones(12)), world).gather(root=7)
    with pytest.raises(armilla.InputError, match="comm is None"):
        armilla.Map.from_global(np.ones(12), None)
    if world.size > 1:
        with pytest.raises(armilla.InputError, match="comm"):
            armilla.analysis(armilla.Map(np.ones(48)), lmax=2, comm=world)


def test_a_file_that_is_missing_on_one_rank_raises_on_all(world, tmp_path_factory):
    path = world.bcast(str(tmp_path_factory.mktemp("shared") / "map.h5") if world.rank == 0 else None)
    if world.rank == 0:
        armilla.Map(np.ones(48)).write(path)
    world.barrier()
    with pytest.raises(armilla.InputError, match="missing.h5"):
        armilla.read(path if world.rank < world.size - 1 else "missing.h5", comm=world)
    plan = armilla.Transform("gauss:5", 4, comm=world)
    with pytest.raises(armilla.InputError, match="weights"):
        plan.analysis(plan.make_map(), weights="grid" if world.rank < world.size - 1 else "best")

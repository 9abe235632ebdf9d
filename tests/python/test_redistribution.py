"""Redistribution of pixels and coefficients. Right values: the pixels' own indices."""
import armilla
import numpy as np
import pytest


def dealt(count, world, seed=3):
    """Indices 0 .. count - 1, dealt to the ranks at random; the first of several ranks gets none."""
    owner = np.random.default_rng(seed).integers(1 if world.size > 1 else 0, world.size, count)
    own = np.flatnonzero(owner == world.rank)
    return np.random.default_rng(world.rank).permutation(own)


@pytest.mark.mpi
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_pixels_dealt_at_random(world, dtype):
    pixels = dealt(192, world)
    move = armilla.PixelRedistribution("healpix:4", pixels, comm=world)
    assert (move.size, sum(world.allgather(move.own_size))) == (len(pixels), 192)
    values = (np.array([[1], [1000]]) * pixels).astype(dtype)
    sky = move.to_map(values)
    own = np.concatenate([np.arange(*ends) for ends in move.pixel_ranges] or [[]])
    np.testing.assert_array_equal(sky, np.array([[1], [1000]]) * own)
    assert sky.dtype == dtype
    # As Transform has them.
    assert armilla.Transform("healpix:4", 4, comm=world).pixel_ranges == move.pixel_ranges
    out = np.zeros_like(values)
    assert move.from_map(sky, out=out) is out
    np.testing.assert_array_equal(out, values)


@pytest.mark.mpi
def test_missing_and_repeated_pixels(world):
    mine = [7, 3] if world.rank == world.size - 1 else []
    move = armilla.PixelRedistribution("gauss:4", mine, comm=world)
    with pytest.raises(armilla.InputError, match="pixel"):
        move.to_map(np.ones(len(mine)))
    sky = world.allgather(move.to_map(np.arange(1.0, 1 + len(mine)), fill=-1))
    whole = np.full(32, -1.0)
    whole[[7, 3]] = 1, 2
    np.testing.assert_array_equal(np.sort(np.concatenate(sky)), np.sort(whole))
    twice = armilla.PixelRedistribution("gauss:4", [5, 5], comm=world)
    with pytest.raises(armilla.InputError, match="pixel 5"):
        twice.to_map(np.ones(2), fill=0)
    np.testing.assert_array_equal(twice.from_map(np.full(twice.own_size, 4.0)), [4, 4])


@pytest.mark.mpi
def test_orders_and_coefficients(world):
    lmax, mmax = 6, 4
    degrees = np.concatenate([np.arange(m, lmax + 1) for m in range(mmax + 1)])
    orders = np.concatenate([np.full(lmax + 1 - m, m) for m in range(mmax + 1)])
    label = degrees + 10j * orders
    own_m = dealt(mmax + 1, world)
    by_m = armilla.AlmRedistribution(lmax, own_m, mmax=mmax, comm=world)
    of_m = [label[orders == m] for m in own_m]
    alm = by_m.to_alm(np.concatenate(of_m) if of_m else np.empty(0, complex))
    local = [label[orders == m] for m in by_m.local_m]
    np.testing.assert_array_equal(alm, np.concatenate(local) if local else [])
    some = dealt(len(degrees), world, seed=5)
    pick = armilla.AlmRedistribution(lmax, orders[some], l=degrees[some], mmax=mmax, comm=world)
    np.testing.assert_array_equal(pick.from_alm(alm), label[some])
    np.testing.assert_array_equal(pick.to_alm(label[some].astype("complex64")), alm.astype("complex64"))


@pytest.mark.mpi
def test_wrong_arguments_raise_on_all_ranks(world):
    last = world.rank == world.size - 1
    for pixels, text in (([999] if last else [1], "pixel 999 in place 0"), ([0.5] if last else [1], "dtype float64"),
                         ([[1]] if last else [1], "has the shape")):
        with pytest.raises(armilla.InputError, match=text):
            armilla.PixelRedistribution("gauss:4", pixels, comm=world)
    move = armilla.PixelRedistribution("gauss:4", [1], comm=world)
    for values, out, text in ((np.ones(2 if last else 1), None, "must have 1 values"),
                              (np.ones(1, int if last else float), None, "astype"),
                              (np.ones(1), np.ones(3) if last else None, "out is float64")):
        with pytest.raises(armilla.InputError, match=text):
            move.to_map(values, fill=0, out=out)
    if world.size > 1:
        with pytest.raises(armilla.InputError, match="components"):
            move.to_map(np.ones((2, 1) if last else 1), fill=0)


def test_arrays_at_any_address():
    bytes_of = np.zeros(48 * 8 + 1, np.uint8)
    values, pixels = (bytes_of[1:].view(dtype) for dtype in ("float64", "int64"))
    pixels[:] = np.arange(48)[::-1]
    move = armilla.PixelRedistribution("healpix:2", pixels)
    with pytest.raises(armilla.InputError, match="not aligned"):
        move.to_map(np.ones(48), out=values)
    values[:] = np.arange(48.0)
    np.testing.assert_array_equal(move.to_map(values), np.arange(48.0)[::-1])


def test_one_process_without_mpi():
    move = armilla.PixelRedistribution("healpix:2", np.arange(48)[::-1])
    sky = move.to_map(np.arange(48.0)[::-1])
    np.testing.assert_array_equal(sky, np.arange(48))

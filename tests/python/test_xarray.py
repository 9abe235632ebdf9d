"""Maps as arrays of xarray."""
import armilla
import numpy as np
import pytest

xarray = pytest.importorskip("xarray")


@pytest.mark.parametrize("grid", ["gauss:8:20:0.5", "cc:9", "f1:7", "dh:8", "mw:6", "healpix:4", "octahedral:8"])
def test_maps_come_back(grid):
    values = np.random.default_rng(1).standard_normal((2, 3, armilla.Grid(grid).npix))
    sky = armilla.Map(values, grid, units=["K", "K", "K"], coordsys="G")
    found = armilla.Map.from_xarray(sky.to_xarray())
    assert found.metadata == sky.metadata
    np.testing.assert_array_equal(found.values, values)


def test_rows_from_south_and_longitudes_from_minus_180_are_turned():
    latitudes, longitudes = np.linspace(-87.5, 87.5, 36), np.arange(-180, 180, 5.0)
    field = np.sin(np.radians(latitudes))[:, np.newaxis] + 2 * np.cos(np.radians(longitudes))
    array = xarray.DataArray(field.astype(np.float32), {"latitude": latitudes, "longitude": longitudes}, name="height",
                             attrs={"units": "m"})
    sky = armilla.Map.from_xarray(array)
    assert (sky.grid.text, sky.fields, sky.units) == ("f1:36:72:3.141592653589793", ["height"], ["m"])
    theta, phi = sky.grid.angles()
    np.testing.assert_allclose(sky.values[0], np.cos(theta) + 2 * np.cos(phi), atol=1e-6)  # single precision


def test_other_dimensions_are_the_batch():
    array = xarray.DataArray(np.arange(2.0 * 3 * 48).reshape(2, 48, 3), dims=["time", "cell", "level"])
    sky = armilla.Map.from_xarray(array)
    assert sky.shape == (6, 1, 48)
    np.testing.assert_array_equal(sky.values[4, 0], array.values[1, :, 1])


def test_unknown_coordinates_are_refused():
    array = xarray.DataArray(np.zeros((3, 4)), {"lat": [80.0, 3.0, -80.0], "lon": [0.0, 90.0, 180.0, 270.0]})
    with pytest.raises(armilla.InputError, match="pass grid="):
        armilla.Map.from_xarray(array)


def test_order_of_rows_and_cells():
    values = np.arange(9 * 16.0).reshape(9, 16)
    latitude = 90 - np.degrees(armilla.Grid("cc:9:16").theta)
    upside_down = xarray.DataArray(values[::-1], {"lat": latitude[::-1]}, ["lat", "lon"])
    np.testing.assert_array_equal(armilla.Map.from_xarray(upside_down, grid="cc:9:16").values, values.reshape(1, -1))
    cells = xarray.DataArray(np.arange(48.0), {"cell": np.arange(48)[::-1]}, ["cell"])
    for array, text in ((cells, "sort the array"), (cells.drop_vars("cell").assign_attrs(healpix_order="nest"), "n2r=True"),
                        (cells.to_dataset(name="T"), "pass a DataArray"), (cells[:0], "no values"),
                        (upside_down[1:], "unlike")):
        with pytest.raises(armilla.InputError, match=text):
            armilla.Map.from_xarray(array, grid="cc:9:16" if "lat" in array.dims else None)

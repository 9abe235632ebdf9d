"""Maps as arrays of xarray."""
import numpy as np
import xarray

from ._armilla import Grid
from .errors import InputError
from .objects import Map
from .transform import grid_of

LAT = ("lat", "latitude")
LON = ("lon", "longitude")
CELL = ("cell", "pixel", "healpix")
FIELD = "field"
#: Grids with rings of equal length that coordinates can be those of.
FORMS = ("gauss", "cc", "f1", "f2", "mw", "mwflip", "dh")
#: [degrees] Coordinates in single precision differ by this much from those of the grid.
TOLERANCE = 1e-4


def to_xarray(sky):
    """See Map.to_xarray()."""
    if sky.comm is not None:
        raise InputError("the map is distributed over ranks: gather it first")
    values, grid = sky.values, sky.grid
    dims, coords = [], {}
    if values.ndim == 3:
        dims.append("map")
    if values.shape[-2] > 1:
        dims.append(FIELD)
        coords[FIELD] = sky.fields
    else:
        values = values[..., 0, :]
    nphi, phi0 = grid.nphi, grid.phi0
    if np.all(nphi == nphi[0]) and np.all(phi0 == phi0[0]):
        values = values.reshape(*values.shape[:-1], len(nphi), nphi[0])
        dims += ["lat", "lon"]
        coords["lat"] = ("lat", 90 - np.degrees(grid.theta), {"units": "degrees_north"})
        coords["lon"] = ("lon", np.degrees(phi0[0]) + 360 * np.arange(nphi[0]) / nphi[0], {"units": "degrees_east"})
    else:
        dims.append("cell")
    attributes = {"grid": grid.text, "coordsys": sky.coordsys}
    if len(set(sky.units)) == 1:
        attributes["units"] = sky.units[0]
    else:
        coords["field_units"] = (FIELD, sky.units)
    attributes = {name: value for name, value in attributes.items() if value}
    return xarray.DataArray(values, coords, dims, sky.fields[0] if len(sky.fields) == 1 else None, attributes)


def from_xarray(array, grid, fields, units, coordsys):
    """See Map.from_xarray()."""
    if not isinstance(array, xarray.DataArray):
        raise InputError(f"the map is a {type(array).__name__}: pass a DataArray, such as one variable of a Dataset")
    if array.size == 0:
        raise InputError(f"the array has no values: its dimensions are {dict(array.sizes)}")

    def axis(names):
        return next((name for name in array.dims if str(name).lower() in names), None)

    lat, lon, cell = axis(LAT), axis(LON), axis(CELL)
    if cell is None and (lat is None or lon is None):
        raise InputError(f"the array has the dimensions {', '.join(map(str, array.dims))}: name those of the sphere lat "
                         "and lon, or cell")
    if cell is not None:
        _check_cells(array, cell)
    space = [cell] if cell is not None else [lat, lon]
    others = [name for name in array.dims if name not in (*space, FIELD)]
    if FIELD in array.dims:
        if fields is None and FIELD in array.coords:
            fields = [str(name) for name in array[FIELD].values]
    else:
        array = array.expand_dims(FIELD)
        if fields is None and array.name is not None:
            fields = [str(array.name)]
    if units is None and "field_units" in array.coords:
        units = [str(unit) for unit in array["field_units"].values]
    units = array.attrs.get("units") if units is None else units
    coordsys = array.attrs.get("coordsys", "") if coordsys is None else coordsys
    array = array.transpose(*others, FIELD, *space)
    if cell is None:
        array, grid = _on_grid(array, lat, lon, grid)
    elif grid is None:
        grid = array.attrs.get("grid")
    values = array.values
    components = values.shape[len(others)]
    shape = (components, -1) if not others else (-1, components, values[(0,) * (len(others) + 1)].size)
    return Map(values.reshape(shape), grid, fields, units, coordsys)


def _check_cells(array, cell):
    """Raises InputError if the coordinates or attributes say that cells are not in the order of Map."""
    for attributes in [array.attrs, *(coordinate.attrs for coordinate in array.coords.values())]:
        for name in ("healpix_order", "indexing_scheme", "ordering"):
            if str(attributes.get(name, "")).lower().startswith("nest"):
                raise InputError(f"{name} = {attributes[name]!r}: maps are in the order RING: reorder the values before, such "
                                 "as by healpy.reorder(values, n2r=True), and remove the attribute")
    if cell in array.coords and array[cell].dtype.kind in "iuf" and np.any(array[cell].values != np.arange(array.sizes[cell])):
        raise InputError(f"the coordinate {cell} is not 0, 1, 2, ...: sort the array by array.sortby({cell!r}), which must "
                         "have all cells, or remove a coordinate that is no index")


def _on_grid(array, lat, lon, grid):
    """The array from north to south with longitudes ascending from that of the grid, and the grid."""
    for name in (lat, lon):
        if name not in array.coords:
            if grid is None:
                raise InputError(f"the array has no coordinate {name}: add it in degrees, or pass grid=...")
            of_grid = grid_of(grid)
            if of_grid.rings != array.sizes[lat] or np.any(of_grid.nphi != array.sizes[lon]):
                raise InputError(f"the array has {array.sizes[lat]} by {array.sizes[lon]} points, unlike {of_grid!r}")
            phi = of_grid.phi0[0] + 2 * np.pi * np.arange(array.sizes[lon]) / array.sizes[lon]
            array = array.assign_coords({name: 90 - np.degrees(of_grid.theta) if name == lat else np.degrees(phi)})
    if array.sizes[lat] > 1 and array[lat][0] < array[lat][-1]:
        array = array.isel({lat: slice(None, None, -1)})
    theta = np.radians(90 - np.asarray(array[lat].values, float))
    candidates = [grid_of(grid)] if grid is not None else []
    # As the array has them, or ascending from 0.
    for order in (slice(None), np.argsort(np.mod(array[lon].values + TOLERANCE, 360), kind="stable")):
        turned = array.isel({lon: order})
        phi = np.radians(np.asarray(turned[lon].values, float))
        found = candidates[:1]
        if grid is None:
            found = [grid_of(array.attrs["grid"])] if array.attrs.get("grid") else []
            found += _grids(len(theta), len(phi), np.mod(phi[0], 2 * np.pi))
        for candidate in found:
            if _matches(candidate, theta, phi):
                return turned, candidate
    wanted = f"the grid {candidates[0]!r}" if grid is not None else "a grid gauss, cc, f1, f2, mw or dh"
    raise InputError(f"the coordinates {lat} and {lon}, {len(theta)} by {len(phi)} points, are not those of {wanted}: "
                     "pass grid=..., such as Grid.from_rings(...)")


def _grids(nlat, nphi, phi0):
    start = "" if abs(np.mod(phi0 + np.pi, 2 * np.pi) - np.pi) < np.radians(TOLERANCE) else f":{float(phi0)!r}"
    for form in FORMS:
        try:
            yield Grid(f"{form}:{nlat}:{nphi}{start}")
        except InputError:
            continue


def _matches(grid, theta, phi):
    nphi = grid.nphi
    if len(nphi) != len(theta) or np.any(nphi != len(phi)):
        return False
    expected = grid.phi0[0] + 2 * np.pi * np.arange(len(phi)) / len(phi)
    distances = [np.abs(grid.theta - theta), np.abs(np.mod(expected - phi + np.pi, 2 * np.pi) - np.pi)]
    return all(np.all(distance < np.radians(TOLERANCE)) for distance in distances)

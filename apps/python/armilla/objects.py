"""Maps, coefficients and values at points: arrays with what they are."""
import math

import numpy as np

from . import _armilla
from .arithmetic import NoArithmetic
from .arrays import COMPLEX_OF, plain_array
from .distributed import DistributedAlm, DistributedMap
from .errors import InputError
from .fields import fields_of
from .plan import whole
from .transform import grid_of

#: Names of components of arrays for which none are given, by their number.
USUAL_FIELDS = {1: ["T"], 2: ["Q", "U"], 3: ["T", "Q", "U"]}
#: Several names that may be one word, as in jobs.
WORDS = ("TQU", "QU", "TEB", "EB")


def numbers(values, what, dtypes):
    """Values as an array of one of the dtypes. Raises InputError for others."""
    for part in [values, *values] if isinstance(values, (list, tuple)) else [values]:
        if isinstance(part, NoArithmetic):
            name = type(part).__name__
            raise InputError(f"{what}: the values are {'of type ' if part is values else 'a list of '}{name}, whose names and "
                             "units would be lost: use .copy(), or .with_values(array) for other values; for several, "
                             ".with_values(numpy.stack([...])) of the arrays .values")
    array = plain_array(values, f"{what}: the values are")
    if array.dtype in dtypes:
        return array
    native = array.dtype.newbyteorder("=")
    if native in dtypes:
        return array.astype(native)
    if array.dtype.kind in "iufb" and array.dtype.itemsize <= 8 and np.dtype(dtypes[-1]).kind == "f":
        return array.astype(dtypes[0] if array.dtype.itemsize <= 2 and array.dtype.kind != "b" else dtypes[-1])
    advice = ", or armilla.read() for a file" if array.dtype.kind in "US" else ""
    raise InputError(f"{what}: the values have dtype {array.dtype}: use {' or '.join(str(d) for d in dtypes)}{advice}")


def coordsys_of(coordsys):
    """Coordinates as the letter of FITS, from that or a name; "" if they are unspecified. Raises InputError for others."""
    letters = {"galactic": "G", "ecliptic": "E", "equatorial": "C"}
    found = letters.get(coordsys, coordsys) if isinstance(coordsys, str) else "" if coordsys is None else coordsys
    if found not in ("", *letters.values()):
        raise InputError(f"coordsys = {coordsys!r}: use 'G' (galactic), 'E' (ecliptic) or 'C' (equatorial)")
    return found


def unit_list(units, components):
    """The unit of each component, from one for all, a list, or None. Raises InputError for another number."""
    units = [""] * components if units is None else [units] * components if isinstance(units, str) else units
    if not isinstance(units, (list, tuple, np.ndarray)) or not all(isinstance(unit, str) for unit in units):
        raise InputError(f"units = {units!r}: use a text such as 'uK', or one for each component")
    units = [str(unit) for unit in units]
    if len(units) != components:
        raise InputError(f"units = {units!r}: there are {components} components: pass one unit for each")
    return units


class Field(NoArithmetic):
    """What Map, Alm and Values have in common: values [component][index], or [map][component][index], with names."""

    sort = None  #: the type of value in the job language
    _dtypes = ()  # of the values

    def __init__(self, values, fields, spins, units, coordsys, comm):
        values = numbers(values, type(self).__name__, self._dtypes)
        if values.ndim == 1:
            values = values[np.newaxis]
        if values.ndim not in (2, 3):
            raise InputError(f"{type(self).__name__}: the values have {values.ndim} dimensions: use [component][value] "
                             "or [map][component][value]")
        if values.ndim == 3 and len(values) == 0:
            raise InputError(f"{type(self).__name__}: the values have the shape {values.shape}: there are no maps")
        components = values.shape[-2]
        if 0 in values.shape[:-1]:
            raise InputError(f"{type(self).__name__}: the values have the shape {values.shape}: there are no "
                             f"{'components' if components == 0 else 'maps'}")
        if fields is None:
            fields = USUAL_FIELDS.get(components)
            if fields is None:
                raise InputError(f"{type(self).__name__}: the values have the shape {values.shape}: there are {components} "
                                 "components: name them with fields=[...]; several maps of one component are "
                                 "values[:, numpy.newaxis]")
        if isinstance(fields, str) and fields in WORDS:
            fields = list(fields)
        self.kind = fields_of(fields, spins)  #: names and spins of the components
        if self.kind.components != components:
            raise InputError(f"{type(self).__name__}: fields = {self.fields}, but the values have {components} "
                             "components")
        self.values = values  #: the array
        self.units = unit_list(units, components)  #: of each component
        self.coordsys = coordsys_of(coordsys)  #: "G" (galactic), "E" (ecliptic), "C" (equatorial), or "" if unspecified
        self.comm = comm  #: communicator of mpi4py whose ranks share the values; None: this process has all

    @property
    def fields(self):
        """Names of the components."""
        return self.kind.map_names

    @property
    def spins(self):
        """Spin of each component."""
        return self.kind.spins

    @property
    def maps(self):
        """Number of maps."""
        return 1 if self.values.ndim == 2 else self.values.shape[0]

    @property
    def dtype(self):
        """Of the values."""
        return self.values.dtype

    @property
    def shape(self):
        """Of the values."""
        return self.values.shape

    @property
    def ndim(self):
        """Number of axes of the values."""
        return self.values.ndim

    @property
    def metadata(self):
        """What the object has besides values, as a dict that can be compared."""
        return {"fields": self.fields, "spins": self.spins, "units": self.units, "coordsys": self.coordsys}

    def __array__(self, dtype=None, copy=None):
        if copy is None:
            return np.asarray(self.values, dtype)
        return np.array(self.values, dtype, copy=copy)

    def __getitem__(self, which):
        """`sky["Q"]`: the values of a component, without a copy. `maps[3]`: one of several maps."""
        if isinstance(which, str):
            if which not in self.fields:
                raise KeyError(f"{which!r} is not one of {self.fields}")
            return self.values[..., self.fields.index(which), :]
        if self.values.ndim != 3:
            raise IndexError("there is a single map: use the name of a component")
        return self.with_values(self.values[which])

    def __iter__(self):
        return (self[map] for map in range(self.maps)) if self.values.ndim == 3 else iter([self])

    def with_values(self, values):
        """An object like this one with other values of the same components."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.values = values
        return other

    def copy(self):
        """The same values in memory of their own."""
        return self.with_values(self.values.copy())

    def __getstate__(self):
        if self.comm is not None:
            raise InputError(f"a {type(self).__name__} that is distributed over ranks cannot be pickled: pickle the "
                             "parts of each rank, .values")
        return self.__dict__.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def write(self, path, **keys):
        """Writes a file, in the format of the extension. Collective if the object is distributed. `keys`: those of an
        output of a job: precision, ordering, convention, units. `{}` in the name of the file is replaced by the number
        of each map, and needed for several maps."""
        from .files import write
        write(self, path, keys)

    def _describe(self, what):
        names = ",".join(self.fields)
        units = self.units[0] if len(set(self.units)) == 1 else ", ".join(self.units)
        maps = f", {self.maps} maps" if self.values.ndim == 3 else ""
        return (f"<armilla.{type(self).__name__}: {what}, fields {names}{f' [{units}]' if units else ''}"
                f"{f', coordsys {self.coordsys}' if self.coordsys else ''}{maps}, {self.dtype}"
                f"{', distributed' if self.comm is not None else ''}>")

    def _titles(self, names=None):
        """The names of components in pictures, which show the first map."""
        return [f"{name}, map 0 of {self.maps}" if self.ndim == 3 else name for name in names or self.fields]

    def _first(self):
        values = self.values if self.values.ndim == 2 else self.values[0]
        return np.ascontiguousarray(values, np.float64)


def _with_xarray():
    try:
        from . import with_xarray
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}: maps of xarray need it: pip install xarray", name=error.name) from None
    return with_xarray


class Map(DistributedMap, Field):
    """Maps on a grid, in the order of its pixels (HEALPix: RING).

    values: [component][pixel], or [map][component][pixel]; the axis of components may be left out
    grid: a text such as "healpix:1024" or "gauss:256:512", or a Grid; by default HEALPix, from the number of pixels
    fields: names of the components, such as ["T", "Q", "U"]; by default T; Q, U; or T, Q, U
    units: of each component, or one for all
    coordsys: "G" (galactic), "E" (ecliptic) or "C" (equatorial)
    spins: of each component, for names that do not determine it
    comm: a communicator of mpi4py, whose ranks have the pixels Transform.pixel_ranges; the grid is then needed
    """

    sort = "map"
    _dtypes = tuple(COMPLEX_OF)

    def __init__(self, values, grid=None, fields=None, units=None, coordsys="", spins=None, comm=None):
        super().__init__(values, fields, spins, units, coordsys, comm)
        npix = self.values.shape[-1]
        if grid is None:
            nside = math.isqrt(npix // 12)
            if comm is not None or npix == 0 or 12 * nside * nside != npix:
                raise InputError(f"Map: {npix} pixels are not those of a HEALPix map of the whole sky: pass grid=...")
            grid = f"healpix:{nside}"
        self.grid = grid_of(grid)  #: its pixels
        if comm is None and self.grid.npix != npix:
            raise InputError(f"Map: grid = {self.grid!r} has {self.grid.npix} pixels, but the values have {npix}")

    @property
    def metadata(self):
        """What the map has besides values, as a dict that can be compared."""
        return {**super().metadata, "grid": self.grid}

    def to_xarray(self):
        """An xarray.DataArray: dimensions lat and lon, or cell; see Map.from_xarray()."""
        return _with_xarray().to_xarray(self)

    @classmethod
    def from_xarray(cls, array, grid=None, fields=None, units=None, coordsys=None):
        """The map of an xarray.DataArray with the dimensions lat and lon [degrees], on a grid that these coordinates
        determine unless `grid` is given, or with the dimension cell. A dimension "field" is that of the components;
        other dimensions are those of the maps, in their order."""
        return _with_xarray().from_xarray(array, grid, fields, units, coordsys)

    def __repr__(self):
        return self._describe(self.grid.text or repr(self.grid))

    def _repr_png_(self):
        if self.comm is not None:
            return None
        is_sky = self.grid.kind == "healpix" or bool(self.coordsys)
        return _armilla.picture_of_map(self.grid, self._titles(), self.units, self._first(), is_sky)


def alm_limits(size, lmax, mmax):
    """lmax and mmax of so many coefficients; mmax = lmax by default. Raises InputError if there are none."""
    lmax = None if lmax is None else whole("lmax", lmax)
    mmax = None if mmax is None else whole("mmax", mmax)
    if mmax is not None and mmax < 0:
        raise InputError(f"Alm: mmax = {mmax}: use 0 <= mmax <= lmax")
    if lmax is None:
        m = mmax
        lmax = math.isqrt(2 * size) - 1 if m is None else size // (m + 1) + m // 2
        for candidate in (lmax - 1, lmax, lmax + 1):  # around rounding
            top = candidate if m is None else m
            if candidate >= top >= 0 and (top + 1) * (2 * candidate - top + 2) == 2 * size:
                return candidate, top
        raise InputError(f"Alm: {size} coefficients are not those of "
                         f"{'mmax = lmax' if m is None else f'mmax = {m}'}: pass lmax=... and mmax=...")
    return lmax, lmax if mmax is None else mmax


class Alm(DistributedAlm, Field):
    """Coefficients a_lm of real fields, m >= 0, in the order of healpy: all l of m = 0, then of m = 1, ...

    values: [component][coefficient], or [map][component][coefficient]; the axis of components may be left out
    lmax, mmax: by default from the number of coefficients, with mmax = lmax
    fields: names of the components in maps or coefficients, such as ["T", "E", "B"]
    units, coordsys, spins, comm: as of Map; the ranks have the m of Transform.local_m
    """

    sort = "alm"
    _dtypes = tuple(COMPLEX_OF.values())

    def __init__(self, values, lmax=None, mmax=None, fields=None, units=None, coordsys="", spins=None, comm=None):
        super().__init__(values, fields, spins, units, coordsys, comm)
        size = self.values.shape[-1]
        if comm is not None and lmax is None:
            raise InputError("Alm: pass lmax=..., because each rank has only some coefficients")
        self.lmax, self.mmax = alm_limits(size, lmax, mmax)  #: highest degree and order
        if not 0 <= self.mmax <= self.lmax:
            raise InputError(f"Alm: lmax = {self.lmax}, mmax = {self.mmax}: use 0 <= mmax <= lmax")
        whole = (self.mmax + 1) * (2 * self.lmax - self.mmax + 2) // 2
        if comm is None and whole != size:
            raise InputError(f"Alm: lmax = {self.lmax}, mmax = {self.mmax} have {whole} coefficients, but the values "
                             f"have {size}")

    @property
    def fields(self):
        """Names of the components."""
        return self.kind.alm_names

    @property
    def metadata(self):
        """What the coefficients have besides values, as a dict that can be compared."""
        return {**super().metadata, "lmax": self.lmax, "mmax": self.mmax}

    def __repr__(self):
        return self._describe(f"lmax {self.lmax}, mmax {self.mmax}")

    def _repr_png_(self):
        if self.comm is not None:
            return None
        from .steps import spectra
        cl = spectra(self if self.ndim == 2 else self[0])
        cl.names = self._titles(cl.names)
        return cl._repr_png_()

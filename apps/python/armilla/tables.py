"""Points, values at points, spectra and tables of kernels."""
import numpy as np

from . import _armilla
from .arithmetic import NoArithmetic
from .arrays import COMPLEX_OF
from .errors import InputError, ResourceError
from .objects import Field, coordsys_of, numbers

DOUBLE = (np.dtype(np.float64),)

#: Names of spectra of arrays for which none are given, by their number, in the order of healpy (new=True).
USUAL_SPECTRA = {1: ["TT"], 4: ["TT", "EE", "BB", "TE"], 6: ["TT", "EE", "BB", "TE", "EB", "TB"]}


def column(values, what):
    """Values as a contiguous array of doubles with one axis. Raises InputError for others."""
    array = np.ascontiguousarray(numbers(values, what, DOUBLE), np.float64)
    if array.ndim != 1:
        raise InputError(f"{what}: the values have {array.ndim} dimensions: use one")
    return array


class Points:
    """Points on the sphere.

    theta, phi: colatitude and longitude [rad]
    coordsys: "G", "E" or "C"
    comm: a communicator of mpi4py, each rank of which has some of the points
    """

    sort = "points"

    def __init__(self, theta, phi, coordsys="", comm=None):
        self.theta = column(theta, "theta")  #: colatitude [rad]
        self.phi = column(phi, "phi")  #: longitude [rad]
        if len(self.theta) != len(self.phi):
            raise InputError(f"Points: {len(self.theta)} values of theta, but {len(self.phi)} of phi")
        self.coordsys = coordsys_of(coordsys)  #: "G" (galactic), "E" (ecliptic), "C" (equatorial), or "" if unspecified
        self.comm = comm  #: communicator of mpi4py; None: this process has all points

    def __len__(self):
        return len(self.theta)

    def copy(self):
        """The same points in memory of their own."""
        return Points(self.theta.copy(), self.phi.copy(), self.coordsys, self.comm)

    write = Field.write
    __getstate__ = Field.__getstate__

    def __repr__(self):
        return f"<armilla.Points: {len(self)}{f', coordsys {self.coordsys}' if self.coordsys else ''}>"

    def _repr_png_(self):
        return _armilla.picture_of_points(self.theta, self.phi, [], [], np.empty((0, len(self))))


class Values(Field):
    """Values at points.

    values: [component][point], or [map][component][point]; the axis of components may be left out
    points: Points, or a pair (theta, phi) [rad]
    fields, units, coordsys, spins: as of Map; coordsys is by default that of the points
    """

    sort = "values"
    _dtypes = tuple(COMPLEX_OF)

    def __init__(self, values, points, fields=None, units=None, coordsys=None, spins=None):
        self.points = points if isinstance(points, Points) else Points(*points)  #: where they are
        coordsys = self.points.coordsys if coordsys is None else coordsys
        super().__init__(values, fields, spins, units, coordsys, self.points.comm)
        if self.values.shape[-1] != len(self.points):
            raise InputError(f"Values: there are {len(self.points)} points, but the values have {self.values.shape[-1]}")

    def __repr__(self):
        return self._describe(f"{len(self.points)} points")

    def _repr_png_(self):
        return _armilla.picture_of_points(self.points.theta, self.points.phi, self._titles(), self.units, self._first())


class Spectra(NoArithmetic):
    """Angular power spectra C_l, or other functions of l, from l = 0. The same on all ranks.

    values: [spectrum][l], or [map][spectrum][l]; the axis of spectra may be left out
    names: such as ["TT", "EE", "BB", "TE"], which is the default for four; TT for one
    unit: of C_l, such as "uK^2"
    """

    sort = "spectra"
    comm = None  #: not distributed
    _dtypes = DOUBLE

    def __init__(self, values, names=None, unit=""):
        values = numbers(values, "Spectra", DOUBLE)
        if values.ndim == 1:
            values = values[np.newaxis]
        if values.ndim not in (2, 3) or 0 in values.shape:
            raise InputError(f"Spectra: the values have shape {values.shape}: use [spectrum][l] or [map][spectrum][l]")
        count = values.shape[-2]
        names = USUAL_SPECTRA.get(count) if names is None else [names] if isinstance(names, str) else list(names)
        if names is None or len(names) != count or not all(isinstance(name, str) for name in names):
            raise InputError(f"Spectra: names = {names!r}, but there are {count} spectra: pass one name for each")
        self.values = values  #: the array
        self.names = names  #: of the spectra
        self.unit = unit or ""  #: of C_l

    @property
    def fields(self):
        """Names of the spectra."""
        return self.names

    @property
    def units(self):
        """The unit of each spectrum."""
        return [self.unit] * len(self.names)

    @property
    def lmax(self):
        """Highest degree."""
        return self.values.shape[-1] - 1

    @property
    def maps(self):
        """Number of maps."""
        return 1 if self.values.ndim == 2 else self.values.shape[0]

    dtype = Field.dtype
    shape = Field.shape
    ndim = Field.ndim
    __array__ = Field.__array__
    __getitem__ = Field.__getitem__
    __iter__ = Field.__iter__
    with_values = Field.with_values
    copy = Field.copy
    __deepcopy__ = Field.__deepcopy__
    write = Field.write
    _titles = Field._titles

    @property
    def metadata(self):
        """What the spectra have besides values, as a dict that can be compared."""
        return {"names": self.names, "unit": self.unit, "lmax": self.lmax}

    def __repr__(self):
        maps = f", {self.maps} maps" if self.values.ndim == 3 else ""
        return (f"<armilla.Spectra: {','.join(self.names)}{f' [{self.unit}]' if self.unit else ''}, lmax {self.lmax}"
                f"{maps}>")

    def _repr_png_(self):
        values = self.values if self.values.ndim == 2 else self.values[0]
        return _armilla.picture_of_spectra(self._titles(), np.ascontiguousarray(values, np.float64), self.unit)


class Kernel:
    """A table of a radial kernel K(theta), for convolve().

    theta: angles [rad], ascending; values: K [1/sr]
    """

    sort = "table"
    comm = None  #: not distributed

    def __init__(self, theta, values):
        self.theta = column(theta, "theta")  #: angles [rad]
        self.values = column(values, "Kernel")  #: K [1/sr]
        if len(self.theta) != len(self.values):
            raise InputError(f"Kernel: {len(self.theta)} angles, but {len(self.values)} values")

    def __array__(self, dtype=None, copy=None):
        return np.array([self.theta, self.values], dtype)

    def write(self, path):
        """Writes a text file with the columns theta and K."""
        try:
            np.savetxt(path, np.array(self).T, fmt="%.17g")
        except OSError as error:
            raise ResourceError(f"'{path}' cannot be written: {error.strerror}: check the folder, its permissions and the "
                                "free space") from None

    def copy(self):
        """The same table in memory of its own."""
        return Kernel(self.theta.copy(), self.values.copy())

    def __repr__(self):
        return f"<armilla.Kernel: {len(self.theta)} angles up to {self.theta[-1] if len(self.theta) else 0:.6g} rad>"


class Statistics:
    """The mean and the l-l' covariance of the spectra of several maps."""

    def __init__(self, mean, covariance):
        self.mean = mean  #: Spectra
        self.covariance = covariance  #: [spectrum][l][l']

    def __repr__(self):
        return f"<armilla.Statistics: {','.join(self.mean.names)}, lmax {self.mean.lmax}>"

"""Maps and coefficients that the ranks of a communicator share."""
import numpy as np

from . import _armilla
from .comm import communicator_of, together
from .errors import InputError
from .redistribution import AlmRedistribution, PixelRedistribution


def check_root(comm, root):
    """Raises InputError if the communicator has no rank root."""
    if not 0 <= root < comm.size:
        raise InputError(f"root = {root}: the communicator has ranks 0 to {comm.size - 1}")


def from_root(made_on_root, comm, root):
    """What made_on_root() returns on rank root, on all ranks. If it raises an exception, all ranks raise InputError."""
    check_root(comm, root)
    with together(communicator_of(comm)):
        result = made_on_root() if comm.rank == root else None
    return comm.bcast(result, root)


def _scattered(cls, value, comm, root, keys, facts_of, redistribution):
    """The parts of a whole object on rank root, as an object of class `cls`."""
    if comm is None:
        raise InputError(f"{cls.__name__}.from_global(): comm is None: pass a communicator of mpi4py")
    communicator_of(comm)  # refuses other types
    whole = None

    def described():
        nonlocal whole
        if value is None:
            raise InputError(f"{cls.__name__}.from_global(): the value is None on rank {root}: pass the whole one "
                             "there")
        whole = value if isinstance(value, cls) else cls(value, **keys)
        if whole.comm is not None:
            raise InputError(f"{cls.__name__}.from_global(): the value is distributed already: pass a whole one")
        return facts_of(whole), whole.values.shape[:-1], whole.values.dtype

    facts, axes, dtype = from_root(described, comm, root)
    move, name = redistribution(facts, comm.rank == root)
    values = whole.values if whole is not None else np.empty(axes + (0,), dtype)
    values = getattr(move, name)(values)
    with together(communicator_of(comm)):
        return cls(values, comm=comm, **facts)


def _of_root(count, is_root):
    return np.arange(count if is_root else 0)


class DistributedMap:
    """Methods of Map for maps that ranks share. All but `local` and `pixel_ranges` are collective."""

    @property
    def local(self):
        """The values of this rank, [component][own pixel], the pixels in the order of pixel_ranges."""
        return self.values

    @property
    def pixel_ranges(self):
        """The pixels of this rank: ranges (begin, end) of pixels of the grid."""
        return _armilla.pixel_ranges(communicator_of(self.comm), self.grid)

    @classmethod
    def from_global(cls, value, comm, root=0, **keys):
        """The map of rank root, where `value` is a Map or the values of all pixels, distributed over the ranks. Other
        ranks pass None. `keys`: the other arguments of Map, needed on rank root only."""
        def moves(facts, is_root):
            return PixelRedistribution(facts["grid"], _of_root(facts["grid"].npix, is_root), comm), "to_map"

        return _scattered(cls, value, comm, root, keys, cls._facts, moves)

    def _facts(self):
        return {"grid": self.grid, "fields": self.fields, "spins": self.spins, "units": self.units,
                "coordsys": self.coordsys}

    def gather(self, root=0):
        """The whole map on rank root, and None on the others."""
        if self.comm is None:
            return self
        check_root(self.comm, root)
        values = self.to_pixels(_of_root(self.grid.npix, self.comm.rank == root))
        return type(self)(values, **self._facts()) if self.comm.rank == root else None

    @classmethod
    def from_pixels(cls, comm, grid, indices, values, fill=None, **keys):
        """The map with these values [component][pixel] at the pixels `indices` of the grid, which may be on any ranks,
        in any order. Pixels that no rank has get the value `fill`; without it, they are an error, as are pixels that
        are given twice. `keys`: the other arguments of Map."""
        move = PixelRedistribution(grid, indices, comm)
        values = move.to_map(values, fill)
        with together(communicator_of(comm)):
            return cls(values, move.grid, comm=comm, **keys)

    def to_pixels(self, indices):
        """The values [component][pixel] at any pixels of the grid, of which each rank asks for its own."""
        return PixelRedistribution(self.grid, indices, self.comm).from_map(self.values)


class DistributedAlm:
    """Methods of Alm for coefficients that ranks share. All but `local` and `local_m` are collective."""

    @property
    def local(self):
        """The values of this rank, [component][own coefficient]: l = m .. lmax of each of local_m."""
        return self.values

    @property
    def local_m(self):
        """The m of this rank, ascending."""
        return _armilla.local_m(communicator_of(self.comm), self.lmax, self.mmax)

    @classmethod
    def from_global(cls, value, comm, root=0, **keys):
        """The coefficients of rank root, where `value` is an Alm or an array, distributed over the ranks. Other ranks
        pass None. `keys`: the other arguments of Alm, needed on rank root only."""
        def moves(facts, is_root):
            orders = _of_root(facts["mmax"] + 1, is_root)
            return AlmRedistribution(facts["lmax"], orders, mmax=facts["mmax"], comm=comm), "to_alm"

        return _scattered(cls, value, comm, root, keys, cls._facts, moves)

    def _facts(self):
        return {"lmax": self.lmax, "mmax": self.mmax, "fields": self.fields, "spins": self.spins, "units": self.units,
                "coordsys": self.coordsys}

    def gather(self, root=0):
        """All coefficients on rank root, and None on the others."""
        if self.comm is None:
            return self
        check_root(self.comm, root)
        values = self.to_orders(_of_root(self.mmax + 1, self.comm.rank == root))
        return type(self)(values, **self._facts()) if self.comm.rank == root else None

    @classmethod
    def from_orders(cls, comm, lmax, m, values, mmax=None, fill=None, **keys):
        """The coefficients with these values [component][coefficient], l = m .. lmax of each `m`, which may be on any
        ranks, in any order; see Map.from_pixels()."""
        move = AlmRedistribution(lmax, m, mmax=mmax, comm=comm)
        values = move.to_alm(values, fill)
        with together(communicator_of(comm)):
            return cls(values, lmax, mmax, comm=comm, **keys)

    def to_orders(self, m):
        """The values [component][coefficient] l = m .. lmax of any `m`, of which each rank asks for its own."""
        return AlmRedistribution(self.lmax, m, mmax=self.mmax, comm=self.comm).from_alm(self.values)

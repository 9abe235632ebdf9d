"""What transforms of maps and at points have in common."""
import operator

from numpy import ndarray

from .arrays import COMPLEX_OF, Arrays, DeviceArray, is_on_device, like, precision_of
from .comm import communicator_of, together
from .errors import InputError
from .fields import fields_of


def whole(name, value):
    """An argument that is an integer of 64 bits. Raises InputError for others."""
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} = {value!r}: use an integer") from None
    if not -2**63 <= number < 2**63:
        raise InputError(f"{name} = {value!r}: use an integer of 64 bits")
    return number


def real(name, value):
    """An argument that is a real number. Raises InputError for others."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} = {value!r}: use a number") from None


def word(name, value):
    """An argument that is a text. Raises InputError for others."""
    if not isinstance(value, str):
        raise InputError(f"{name} = {value!r}: use a text")
    return str.__str__(value)


#: Threads of a call. The OpenMP library ends the process if the system has too few for a higher number.
MAX_THREADS = 4096


def thread_count(threads):
    """The argument `threads`: a number, or None for the default. Raises InputError for numbers out of range."""
    if threads is None:
        return None
    threads = whole("threads", threads)
    if threads < 1:
        raise InputError(f"threads = {threads}: use 1 or more")
    if threads > MAX_THREADS:
        raise InputError(f"threads = {threads}: use at most {MAX_THREADS}, better the number of CPUs")
    return threads


class NotCopied:
    """Objects that cannot be pickled or copied."""

    def __getstate__(self):
        name = type(self).__name__
        raise InputError(f"a {name} cannot be pickled or copied: make a {name} in each process, with the same arguments")


class Plan(NotCopied):
    """A transform: its communicator, fields, precision and arrays."""

    def __init__(self, lmax, mmax, fields, maps, dtype, comm, backend, threads):
        self._comm = communicator_of(comm)
        self._alone = self._comm.size == 1
        self.comm = comm  #: the argument of the constructor
        with self._together() as together:
            together.lmax = whole("lmax", lmax)
            together.mmax = None if mmax is None else whole("mmax", mmax)
            self.maps = whole("maps", maps)  #: number of maps transformed together
            together.backend = word("backend", backend)
            together.threads = thread_count(threads)
            self.dtype = precision_of(dtype)  #: of the values of maps
            self.fields = fields_of(fields)  #: names and spins of the components
        self._arguments = together

    @property
    def lmax(self):
        """Highest degree of the coefficients."""
        return self._core.lmax

    @property
    def mmax(self):
        """Highest order of the coefficients."""
        return self._core.mmax

    @property
    def backend(self):
        """The backend in use, "cpu" or "cuda"."""
        return self._core.backend

    @property
    def device(self):
        """CUDA index of the GPU of this rank; -1 on CPUs."""
        return self._core.device

    @property
    def alm_shape(self):
        """Shape of the coefficients of this rank."""
        return self._alm.shapes[self._alm.default]

    def _together(self):
        return together(self._comm)

    def _arrays(self, name, components, count, is_complex, what):
        return Arrays(name, self.maps, components, count, COMPLEX_OF[self.dtype] if is_complex else self.dtype, what)

    @staticmethod
    def _zeros(arrays):
        values = arrays.new(arrays.shapes[arrays.default])
        values.fill(0)
        return values

    def _operands(self, given, read, written, out, new_on_device):
        """The arrays of a call: that of the argument, and that of the result."""
        if self._alone:
            if out is None and given.__class__ is ndarray and given.dtype is read.dtype and given.flags.c_contiguous \
                    and given.flags.aligned:
                shape = written.shape_of.get((given.shape, read.components))  # known from an earlier call
                if shape is not None:
                    return given, written.new(shape)
            return self._checked(given, read, written, out, new_on_device)
        with self._together():
            operands = self._checked(given, read, written, out, new_on_device)
        return operands

    def _checked(self, given, read, written, out, new_on_device):
        values, axes = read.read(given)
        if values.__class__ is ndarray and (out is None or out.__class__ is ndarray):
            return values, written.result(axes, read, out, None)
        device = self._core.device
        for name, array in ((read.name, values), ("out", out)):
            if array is not None and is_on_device(array):
                where = tuple(array.__dlpack_device__())
                if device < 0:
                    raise InputError(f"{name} is on a GPU, but the transform computes on CPUs: copy {name} to the host, "
                                     "or make the transform with backend='cuda'")
                if where != (2, device):
                    raise InputError(f"{name} is on device {where[1]} of type {where[0]}, but the transform is on CUDA "
                                     f"device {device}: copy {name} to it")
                wait = getattr(array, "block_until_ready", None)  # JAX
                if wait is not None:
                    wait()
        if out is not None and is_on_device(out):
            written._axes_of(out, "out")
            return values, out
        if out is None and is_on_device(values):
            shape = written.shape_for(axes, read)
            return values, like(DeviceArray(new_on_device(shape, written.components), shape, written.dtype), values)
        return values, written.result(axes, read, out, device if device >= 0 else None)

"""Arrays that calls read and write: which shapes and types they have, and what is copied."""
import numpy as np

from .errors import InputError

COMPLEX_OF = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}


ALIGNMENT = 64  # [bytes] of vectors; transforms of maps at other addresses take up to 15% longer
LARGE = 4096  # number of values from which alignment pays


def precision_of(dtype):
    """The dtype of map values of the argument `dtype` of a call: float32 or float64. Raises InputError for others."""
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        dtype = None
    for real, values in COMPLEX_OF.items():
        if dtype in (real, values):
            return real
    raise InputError(f"dtype = {dtype}: use 'float64' or 'float32'")


def plain_array(values, what):
    """Values as an array of numpy. Raises InputError for masked arrays and lists of them, and for what is no array.
    `what`: the beginning of the message, such as "map is"."""
    parts = values if isinstance(values, (list, tuple)) else [values]
    if any(isinstance(part, np.ma.MaskedArray) for part in parts):
        raise InputError(f"{what} a masked array, whose mask would be lost: set masked values by .filled(0)")
    try:
        return np.asarray(values)
    except Exception as error:  # any, of the library of the array
        raise InputError(f"{what} no array: {error}") from None


def is_on_device(array):
    """Whether an array is in the memory of a GPU."""
    if isinstance(array, np.ndarray):
        return False
    where = getattr(array, "__dlpack_device__", None)
    return where is not None and where()[0] not in (1, 3)  # kDLCPU, kDLCUDAHost


def new_array(shape, size, dtype):
    """An uninitialised array of so many values. Large ones begin at a multiple of ALIGNMENT."""
    if size < LARGE:
        return np.empty(shape, dtype)
    block = np.empty(size + ALIGNMENT // dtype.itemsize, dtype)
    start = -block.ctypes.data % ALIGNMENT // dtype.itemsize
    return block[start:start + size].reshape(shape)


class DeviceArray:
    """A result in the memory of a GPU, for libraries that support DLPack: cupy.from_dlpack(array)."""

    def __init__(self, values, shape, dtype):
        self._values = values
        self.shape = shape
        self.dtype = dtype

    def __dlpack__(self, **options):
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()

    def __repr__(self):
        return f"<armilla.DeviceArray: shape {self.shape}, {self.dtype}, CUDA device {self.__dlpack_device__()[1]}>"


def like(array, other):
    """A DeviceArray as an array of the library of `other` (CuPy, PyTorch, JAX); as it is if that is none of them."""
    name = type(other).__module__.partition(".")[0]
    if name == "cupy":
        import cupy
        return cupy.from_dlpack(array)
    if name == "torch":
        import torch
        return torch.from_dlpack(array)
    if name in ("jax", "jaxlib"):
        import jax
        return jax.dlpack.from_dlpack(array)
    return array


class Arrays:
    """The arrays of an argument: [map][component][value], C-contiguous in the host's byte order. The axis of maps may be
    left out if there is one map, the axis of components if there is one component; results have the axes of the input.
    """

    def __init__(self, name, maps, components, count, dtype, what):
        self.name = name  # of the argument
        self.components = components
        self.count = count
        self.dtype = dtype
        self.what = what  # a value, for messages: "pixels"
        full = (maps, components, count)
        # For each shape: whether it has axes of maps and components.
        self.axes = {full: (True, True)}
        if maps == 1:
            self.axes[full[1:]] = (False, True)
        if components == 1:
            self.axes[(maps, count)] = (maps > 1, maps == 1)
        if maps == 1 and components == 1:
            self.axes[(count,)] = (False, False)
        self.shapes = {axes: shape for shape, axes in self.axes.items()}
        self.default = (maps > 1, components > 1)
        self.size = maps * components * count
        self.shape_of = {}  # shape_for(), by the shape and number of components of the input

    def shape_for(self, axes, other):
        """The shape of a result, for an input of `other` arrays with these axes."""
        shape = other.shapes[axes]
        if self.components != other.components:
            axes = (axes[0], self.components > 1)
        result = self.shape_of[shape, other.components] = self.shapes.get(axes) or self.shapes[self.default]
        return result

    def read(self, array):
        """The values of an input, and its axes. Arrays with gaps, or of another type whose values all exist in that of
        the plan, are copied. Raises InputError for others."""
        if type(array) is np.ndarray and array.dtype == self.dtype:
            axes = self.axes.get(array.shape)
            if axes is not None and array.flags.c_contiguous and array.flags.aligned:
                return array, axes
        elif is_on_device(array):
            return array, self._axes_of(array)
        return self._converted(array)

    def new(self, shape):
        """An array for a result."""
        return new_array(shape, self.size, self.dtype)

    def result(self, axes, other, out, like_input):
        """The array for a result: `out` if it is given and can be used, else a new one."""
        if out is None:
            return self.new(self.shape_for(axes, other))
        if not isinstance(out, np.ndarray):
            raise InputError(f"out is a {type(out).__name__}: pass an array of numpy with dtype {self.dtype}"
                             + ("" if like_input is None else ", or one on the GPU of the transform"))
        if out.dtype != self.dtype:
            raise InputError(f"out has dtype {out.dtype}: pass an array with dtype {self.dtype}")
        if not out.flags.writeable:
            raise InputError("out is read-only: pass an array that can be written, or a copy of it")
        if not out.flags.c_contiguous:
            raise InputError("out is not C-contiguous: pass a contiguous array and copy the result from it")
        self._axes_of(out, "out")
        return out

    def _axes_of(self, array, name=None):
        shape = tuple(array.shape)
        axes = self.axes.get(shape)
        if axes is None:
            others = " or ".join(str(other) for other in self.axes)
            raise InputError(f"{name or self.name} has the shape {shape}: the transform needs {others}, "
                             f"[map][component][{self.what}]")
        return axes

    def _converted(self, array):
        values = plain_array(array, f"{self.name} is")
        axes = self._axes_of(values)
        kind = values.dtype.kind
        is_exact = np.can_cast(values.dtype, self.dtype, "safe") and values.dtype.itemsize <= self.dtype.itemsize
        if values.dtype != self.dtype and not (is_exact and (kind == self.dtype.kind or (kind in "iu" and self.dtype.kind == "f"
                                                             and values.dtype.itemsize < self.dtype.itemsize))):
            raise InputError(f"{self.name} has dtype {values.dtype}, but the transform has {self.dtype}: pass "
                             f"{self.name}.astype(numpy.{self.dtype}), or make the transform with another dtype")
        return np.require(values, self.dtype, "CA"), axes

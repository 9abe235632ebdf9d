"""Arrays on a GPU, by DLPack: here on the emulated device, whose memory the host cannot access."""
import ctypes

import numpy as np
import pytest
from conftest import random_alm

import armilla

pytestmark = pytest.mark.emulated

KINDS = {"f": 2, "c": 5}  # kDLFloat, kDLComplex


class Tensor(ctypes.Structure):
    """DLManagedTensor of DLPack."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


def pointer_in(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Tensor.from_address(get(capsule, b"dltensor")).data


class DeviceArray:
    """An array of a library for GPUs: memory that a result of Armilla owns, with another shape, type or device."""

    def __init__(self, owner, shape, dtype, device=(2, 0), strides=None, offset=0):
        self.owner = owner
        self.data = pointer_in(owner.__dlpack__()) + offset
        self.shape, self.dtype, self.device, self.strides = shape, np.dtype(dtype), device, strides

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if options:
            raise TypeError("no options")
        axes = ctypes.c_int64 * len(self.shape)
        strides = axes(*self.strides) if self.strides else None
        self.tensor = Tensor(self.data, *self.device, len(self.shape), KINDS[self.dtype.kind],
                             8 * self.dtype.itemsize, 1, axes(*self.shape), strides, 0, None, None)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


@pytest.fixture(scope="module")
def plan():
    return armilla.Transform("gauss:12", 11, fields="T,Q,U", backend="cuda", threads=1)


@pytest.fixture(scope="module")
def on_cpu():
    return armilla.Transform("gauss:12", 11, fields="T,Q,U", backend="cpu", threads=1)


def device_array(plan, kind, **changes):
    if kind == "map":
        owner = plan._core.device_map(plan.map_shape)
        return DeviceArray(owner, plan.map_shape, changes.pop("dtype", "f8"), **changes)
    owner = plan._core.device_alm(plan.alm_shape, 3)
    return DeviceArray(owner, plan.alm_shape, changes.pop("dtype", "c16"), **changes)


def test_results_stay_on_the_device(plan, on_cpu):
    alm = random_alm(11, (0, 2, 2))
    sky = on_cpu.synthesis(alm)
    assert (plan.backend, plan.device, on_cpu.device) == ("cuda", 0, -1)
    np.testing.assert_allclose(plan.synthesis(alm), sky, atol=1e-12)  # arrays of the host
    # host -> device -> device -> host
    there = device_array(plan, "map")
    assert plan.synthesis(alm, out=there) is there
    found = plan.analysis(there)
    assert found.__dlpack_device__() == (2, 0)
    assert (found.shape, found.dtype) == (plan.alm_shape, alm.dtype) and "CUDA device 0" in repr(found)
    again = plan.make_map()
    plan.synthesis(found, out=again)
    np.testing.assert_allclose(again, sky, atol=1e-12)
    np.testing.assert_allclose(plan.adjoint_synthesis(there, out=plan.make_alm()), on_cpu.adjoint_synthesis(sky), atol=1e-9)


def test_vectors():
    plans = [armilla.Transform("gauss:12", 11, fields="U,V", backend=name) for name in ("cuda", "cpu")]
    potential = random_alm(11)[0]
    wind = plans[1].gradient(potential)
    there = DeviceArray(plans[0]._core.device_map((2, 12 * 24)), (2, 12 * 24), "f8")
    plans[0].gradient(potential, out=there)
    for call in ("vorticity_divergence", "adjoint_gradient"):
        expected = getattr(plans[1], call)(wind)
        result = getattr(plans[0], call)(there)
        assert result.__dlpack_device__() == (2, 0)
        out = np.empty_like(expected)
        getattr(plans[0], call)(there, out=out)
        np.testing.assert_allclose(out, expected, atol=1e-8)


def test_points(plan):
    theta, phi = np.array([0.3, 1.0, 2.0]), np.array([0.0, 4.0, 6.0])
    there, here = (armilla.PointTransform(theta, phi, 11, fields="T,Q,U", backend=name) for name in ("cuda", "cpu"))
    alm = random_alm(11, (0, 2, 2))
    values = DeviceArray(plan._core.device_map(plan.map_shape), (3, 3), "f8")
    there.synthesis(alm, out=values)
    expected = here.adjoint_synthesis(here.synthesis(alm))
    np.testing.assert_allclose(there.adjoint_synthesis(values, out=np.empty_like(expected)), expected, atol=1e-7)
    with pytest.raises(armilla.InputError, match=r"pass out, an array of the shape \(3, 78\) on the same GPU"):
        there.adjoint_synthesis(values)
    fits = {"out": np.empty_like(expected), "regularise": 1.0}
    np.testing.assert_allclose(there.analysis(values, **fits)[0], here.analysis(here.synthesis(alm), regularise=1.0)[0],
                               atol=1e-7)


@pytest.mark.parametrize("changes, text", [
    ({"device": (2, 1)}, "alm is on device 1 of type 2, but the transform is on CUDA device 0: copy alm to it"),
    ({"device": (10, 0)}, "alm is on device 0 of type 10"),
    ({"dtype": "c8"}, "alm has another type of values: convert it to complex128"),
    ({"strides": (1, 3)}, "alm on a GPU is not C-contiguous: pass a contiguous copy"),
])
def test_bad_arrays(plan, changes, text):
    with pytest.raises(armilla.InputError) as error:
        plan.synthesis(device_array(plan, "alm", **changes))
    assert text in str(error.value)


def test_out_on_the_device_shares_memory(plan):
    alm = device_array(plan, "alm")
    out = DeviceArray(alm.owner, plan.map_shape, "f8", offset=16)
    with pytest.raises(armilla.InputError, match="out shares memory with alm"):
        plan.synthesis(alm, out=out)

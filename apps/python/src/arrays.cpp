#include "arrays.hpp"

#include <armilla/backend/devices.hpp>
#include <armilla/comm/phase.hpp>

#include <cstdint>
#include <functional>
#include <string>

#include "interpreter_lock.hpp"
#include <fmt/format.h>

namespace armilla::python {

namespace {

// The name of a type of values in numpy.
std::string name_of(nb::dlpack::dtype type) {
  return fmt::format("{}{}",
                     type.code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex) ? "complex" : "float",
                     int{type.bits});
}

// Whether values follow each other without gaps, the last axis fastest.
bool is_contiguous(const nb::ndarray<nb::ro>& array) {
  std::int64_t expected = 1;
  for (std::size_t axis = array.ndim(); axis-- > 0;) {
    const auto size = static_cast<std::int64_t>(array.shape(axis));
    if (size > 1 && array.stride(axis) != expected) return false;
    expected *= size;
  }
  return true;
}

void check_apart(const Operand& read, const Operand& written) {
  const std::less<> is_less;  // also for pointers to different arrays
  const auto* const a = static_cast<const char*>(read.data());
  const auto* const b = static_cast<const char*>(written.data());
  if (is_less(a, b + written.bytes()) && is_less(b, a + read.bytes()))
    throw InputError(
        fmt::format("out shares memory with {}: pass another array, or a copy of {}", read.name(), read.name()));
}

}  // namespace

Operand::Operand(const char* name, nb::handle array, Access access, nb::dlpack::dtype type) : name_(name) {
  if (PyObject_CheckBuffer(array.ptr()) != 0)
    take_host(array, access, type);
  else
    take_device(array, access, type);
}

void Operand::take_host(nb::handle array, Access access, nb::dlpack::dtype type) {
  Py_buffer view;
  const int flags = PyBUF_C_CONTIGUOUS | (access == Access::kWrite ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(array.ptr(), &view, flags) != 0) {
    PyErr_Clear();
    throw InputError(fmt::format("{} is {}: pass a C-contiguous array{}", name_, "not contiguous or read-only",
                                 access == Access::kWrite ? " that can be written" : ""));
  }
  view_ = view;
  bytes_ = static_cast<std::size_t>(view.len);
  // The name of the type is not asked for, because that takes numpy a microsecond.
  size_ = bytes_ * 8 / type.bits;
  if (view.itemsize * 8 != type.bits) {
    PyBuffer_Release(&*view_);
    throw InputError(fmt::format("{} has another type of values: pass a {} array", name_, name_of(type)));
  }
  data_ = view.buf;
}

void Operand::take_device(nb::handle array, Access access, nb::dlpack::dtype type) {
  const bool is_taken = access == Access::kWrite ? [&] {
    nb::ndarray<> written;
    if (!nb::try_cast(array, written, false)) return false;
    device_ = nb::ndarray<nb::ro>(written);
    return true;
  }() : nb::try_cast(array, device_, false);
  if (!is_taken)
    throw InputError(
        fmt::format("{} is no array that can be {} through DLPack: pass an array of numpy, CuPy, PyTorch "
                    "or JAX{}",
                    name_, access == Access::kWrite ? "written" : "read",
                    access == Access::kWrite ? ", other than a read-only one" : ""));
  if (device_.device_type() != nb::device::cuda::value)
    throw InputError(
        fmt::format("{} is neither in the memory of the host nor in that of a CUDA device: copy it to one "
                    "of them",
                    name_));
  if (device_.dtype() != type)
    throw InputError(fmt::format("{} has another type of values: convert it to {}", name_, name_of(type)));
  if (!is_contiguous(device_))
    throw InputError(fmt::format("{} on a GPU is not C-contiguous: pass a contiguous copy", name_));
  on_device_ = true;
  data_ = const_cast<void*>(device_.data());
  size_ = device_.size();
  bytes_ = size_ * type.bits / 8;
  backend::wait_for_device(device_.device_id());
}

Operand::~Operand() {
  if (view_) PyBuffer_Release(&*view_);
}

Operands::Operands(const Communicator& comm, const Argument& read, const Argument& written) {
  std::optional<core::CaughtError> error;
  try {
    read_.emplace(read.name, read.array, Access::kRead, read.type);
    written_.emplace(written.name, written.array, Access::kWrite, written.type);
    check_apart(*read_, *written_);
  } catch (...) {
    error = core::describe_current_exception();
  }
  if (comm.size() == 1 && !error) return;
  const Unlocked unlocked;
  comm::agree(comm, error);
}

}  // namespace armilla::python

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "binding.hpp"
#include <fmt/format.h>
#include <nanobind/ndarray.h>

namespace armilla::python {

/// A contiguous array of Python on the host.
template <class T>
using HostArray = nb::ndarray<T, nb::c_contig, nb::device::cpu>;

/// The values of an array, without a copy.
template <class T>
std::span<T> span_of(const HostArray<T>& array) {
  return {array.data(), array.size()};
}

/// A numpy array that owns the values.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> numpy_array(std::vector<T> values) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* data) noexcept { delete static_cast<std::vector<T>*>(data); });
  return {kept->data(), {kept->size()}, owner};
}

/// Whether a call reads or writes an array.
enum class Access { kRead, kWrite };

/// An array that a call reads or writes in place: of the host by the buffer protocol, or of a GPU by DLPack. It is kept
/// until the end of the call. Construction and destruction need the GIL.
class Operand {
 public:
  /// Throws InputError unless the array has values of this type, without gaps between them, and is writable if that is
  /// asked for; `name` is that of the argument. Waits for work of the program on a GPU whose memory it is in.
  Operand(const char* name, nb::handle array, Access access, nb::dlpack::dtype type);
  ~Operand();
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  const char* name() const { return name_; }        ///< of the argument
  bool is_on_device() const { return on_device_; }  ///< whether it is in the memory of a GPU
  void* data() const { return data_; }              ///< the first value
  std::size_t size() const { return size_; }        ///< number of values
  std::size_t bytes() const { return bytes_; }      ///< size of all values
  /// All values.
  template <class Value>
  std::span<Value> values() const {
    return {static_cast<Value*>(data_), size_};
  }

 private:
  void take_host(nb::handle array, Access access, nb::dlpack::dtype type);
  void take_device(nb::handle array, Access access, nb::dlpack::dtype type);

  const char* name_;
  std::optional<Py_buffer> view_ = {};
  nb::ndarray<nb::ro> device_ = {};
  bool on_device_ = false;
  void* data_ = nullptr;
  std::size_t size_ = 0, bytes_ = 0;
};

/// An argument of a call: its name, the array, and the type of its values.
struct Argument {
  const char* name;
  nb::handle array;
  nb::dlpack::dtype type;
};

/// The array that a call reads, and the one that it writes.
class Operands {
 public:
  /// Collective. Throws InputError on all ranks if one of them has an array that cannot be used, or two that share
  /// memory.
  Operands(const Communicator& comm, const Argument& read, const Argument& written);

  const Operand& read() const { return *read_; }        ///< the array that is read
  const Operand& written() const { return *written_; }  ///< the array that is written

 private:
  std::optional<Operand> read_, written_;
};

}  // namespace armilla::python

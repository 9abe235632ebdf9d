#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <bit>
#include <compare>
#include <cstddef>
#include <type_traits>

namespace armilla::kernels {

using core::Index;

/// An address in device memory, for host code: it can be stored, moved and passed to a launcher, but not dereferenced.
/// in_kernel() converts it, and task structs that contain it, to the types used by kernels.
template <class T>
class DevicePointer {
 public:
  DevicePointer() = default;
  DevicePointer(std::nullptr_t) {}
  explicit DevicePointer(T* address) : address_(address) {}
  /// From DevicePointer<T> to DevicePointer<const T>.
  template <class U>
  requires std::is_convertible_v<U (*)[], T (*)[]> DevicePointer(DevicePointer<U> other) : address_(other.address()) {}

  /// For functions of CUDA, cuFFT and MPI, which take plain addresses.
  T* address() const { return address_; }

  DevicePointer& operator+=(Index count) {
    address_ += count;
    return *this;
  }
  friend DevicePointer operator+(DevicePointer pointer, Index count) { return pointer += count; }
  friend bool operator==(DevicePointer, DevicePointer) = default;

 private:
  T* address_ = nullptr;
};

/// The same address for values of another type, such as the two parts of a complex one. U keeps T's const.
template <class U, class T>
DevicePointer<U> device_cast(DevicePointer<T> pointer) {
  return DevicePointer<U>(reinterpret_cast<U*>(pointer.address()));
}

/// The address for kernels; converts to T*. In the host code of an emulated kernel, this is an address at which the
/// host can read the device memory. In any other host code it is an address that the host cannot read, as on a device.
/// Can also be created from plain pointers, for tests of kernel bodies with host tables.
template <class T>
class KernelPointer {
 public:
  KernelPointer() = default;
  HOST_DEVICE KernelPointer(T* address) : address_(address) {}
  /// From KernelPointer<T> to KernelPointer<const T>.
  template <class U>
  requires std::is_convertible_v<U (*)[], T (*)[]> HOST_DEVICE KernelPointer(KernelPointer<U> other)
      : address_(other.address_) {}

  HOST_DEVICE operator T*() const { return core::readable(address_); }

 private:
  template <class U>
  friend class KernelPointer;

  T* address_ = nullptr;
};

/// Converts the arguments of the host to those of a kernel launch. Task structs are templates over their pointer type,
/// and possibly over number types; DevicePointer becomes KernelPointer, and everything else is unchanged.
template <class T>
KernelPointer<T> in_kernel(DevicePointer<T> pointer) {
  return std::bit_cast<KernelPointer<T>>(pointer);
}
template <template <template <class> class, class...> class Task, class... Types>
Task<KernelPointer, Types...> in_kernel(const Task<DevicePointer, Types...>& task) {
  return std::bit_cast<Task<KernelPointer, Types...>>(task);
}

}  // namespace armilla::kernels

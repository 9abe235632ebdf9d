#pragma once

#include <armilla/io/hdf5_handle.hpp>

namespace armilla::io {

/// A file that a driver has opened; drivers derive their own from it.
struct DriverFile : H5FD_t {
  DriverFile() : H5FD_t{} {}
  haddr_t end_of_addresses = 0;  ///< of the space that HDF5 has allocated
  haddr_t end_of_file = 0;       ///< bytes of the file
};

/// A file driver of HDF5 for files of type DriverFile. The caller adds the functions open, close, read and write. It
/// asks for the same file layout as HDF5's own driver, so that files have the same bytes.
H5FD_class_t hdf5_driver(const char* name);

/// Registers a driver until the process ends; once per driver. Files must not keep the last reference to it: HDF5 1.10
/// calls the driver's `close` after it has released the file's reference. Throws ResourceError.
hid_t register_hdf5_driver(const H5FD_class_t& driver);

/// File access properties with a registered driver. `info` has as many bytes as its `fapl_size`, which
/// H5Pget_driver_info() returns in the driver's `open`. Throws ResourceError.
Hdf5Handle hdf5_access(hid_t driver, const void* info = nullptr);

/// Tells HDF5 why a function of a driver fails; throw_hdf5() then throws an error of this kind and text.
void push_hdf5_reason(core::ErrorKind kind, const char* reason);
/// The name of the function in entries of HDF5's error stack that push_hdf5_reason() made, and the kind of the last
/// one.
inline constexpr const char* kDriverFunction = "armilla_driver";
core::ErrorKind kind_of_hdf5_driver();

}  // namespace armilla::io

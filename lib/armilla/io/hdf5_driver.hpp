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

/// File access properties with this driver. `info` has driver.fapl_size bytes, which H5Pget_driver_info() returns in
/// the driver's `open`. Throws ResourceError.
Hdf5Handle hdf5_access(const H5FD_class_t& driver, const void* info = nullptr);

/// Tells HDF5 why a function of a driver fails; throw_hdf5() then reports it.
void push_hdf5_reason(const char* reason);

}  // namespace armilla::io

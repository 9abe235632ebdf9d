#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <string>

#include <hdf5.h>

namespace armilla::io {

using core::Index;

/// Throws an error of that kind with `context`, followed by HDF5's description of the last failed call.
[[noreturn]] void throw_hdf5(core::ErrorKind kind, const std::string& context);

/// Throws like throw_hdf5() if an HDF5 call returned a negative status.
template <class Status>
Status hdf5_checked(Status status, core::ErrorKind kind, const std::string& context) {
  if (status < 0) throw_hdf5(kind, context);
  return status;
}

/// The error kinds for files that are read and for files that are written.
inline constexpr auto kInput = core::ErrorKind::kInput;
inline constexpr auto kResource = core::ErrorKind::kResource;

/// Owns one HDF5 identifier of any class and releases it.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  /// Takes ownership of `id`. Throws like throw_hdf5() if it is not valid.
  Hdf5Handle(hid_t id, herr_t (*release)(hid_t), core::ErrorKind kind, const std::string& context);
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle();

  hid_t get() const { return id_; }
  /// Releases the identifier now, so that a failure to flush buffers is detected. Throws ResourceError.
  void close(const std::string& context);

 private:
  hid_t id_ = H5I_INVALID_HID;
  herr_t (*release_)(hid_t) = nullptr;
};

/// Disables HDF5's own error output; called by every function that opens or creates a file.
void silence_hdf5();

/// Opens a file for reading by this process alone. It is read by a driver of Armilla's own, which reads regular files
/// only, also behind external links, and reports a file that has become shorter. HDF5's driver returns zeros for
/// missing bytes, and HDF5 crashes at exit if close() has failed. Throws InputError for a missing, truncated or foreign
/// file.
Hdf5Handle open_hdf5(const std::string& path);
/// Opens the dataset named `name` of a file or group. Throws InputError if it is absent, is a link to another file, or
/// stores its data in other files: only the file that was checked is read.
Hdf5Handle open_hdf5_dataset(hid_t file, const std::string& name, const std::string& path);
/// Opens the group named `name`, which must exist. Throws InputError for a link to another file.
Hdf5Handle open_hdf5_group(hid_t file, const std::string& name, const std::string& path);
bool hdf5_has_object(hid_t file, const std::string& name);

/// Types in memory: T itself, or, for complex values, the compound {r, i} that h5py reads as complex.
template <class T>
Hdf5Handle hdf5_memory_type();
/// Types in a file, little endian, of the given precision.
Hdf5Handle hdf5_real_file_type(core::Precision precision);
Hdf5Handle hdf5_complex_file_type(core::Precision precision);

}  // namespace armilla::io

#include <armilla/core/input_file.hpp>
#include <armilla/io/hdf5_driver.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

struct OpenFile : DriverFile {
  explicit OpenFile(const char* name) : bytes(name) { end_of_file = static_cast<haddr_t>(bytes.size()); }
  core::InputFile bytes;
};

void push_current_exception() {
  const core::CaughtError error = core::describe_current_exception();
  push_hdf5_reason(error.kind, error.message.c_str());
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t, haddr_t) {
  try {
    if ((flags & (H5F_ACC_RDWR | H5F_ACC_TRUNC | H5F_ACC_CREAT)) != 0) return nullptr;
    return new OpenFile(name);
  } catch (...) {
    push_current_exception();
    return nullptr;
  }
}

herr_t close_file(H5FD_t* file) {
  delete static_cast<OpenFile*>(file);
  return 0;
}

herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  try {
    static_cast<OpenFile*>(file)->bytes.read(static_cast<Index>(address), {static_cast<char*>(buffer), size});
    return 0;
  } catch (...) {
    push_current_exception();
    return -1;
  }
}

herr_t write_file(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, std::size_t, const void*) { return -1; }

// HDF5 calls it when it opens the file, unless HDF5_USE_FILE_LOCKING is FALSE.
herr_t lock_file(H5FD_t* file, hbool_t) {
  if (static_cast<OpenFile*>(file)->bytes.lock()) return 0;
  push_hdf5_reason(core::ErrorKind::kInput,
                   fmt::format("'{}' is open for writing in another process: wait until it is complete",
                               static_cast<OpenFile*>(file)->bytes.path())
                       .c_str());
  return -1;
}

hid_t register_reading_driver() {
  H5FD_class_t driver = hdf5_driver("armilla_reading");
  driver.open = open_file;
  driver.close = close_file;
  driver.read = read_file;
  driver.write = write_file;
  driver.lock = lock_file;
  return register_hdf5_driver(driver);
}

}  // namespace

Hdf5Handle open_hdf5(const std::string& path) {
  silence_hdf5();
  core::check_readable(path);
  static const hid_t driver = register_reading_driver();
  const Hdf5Handle access = hdf5_access(driver);
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, core::ErrorKind::kInput,
          fmt::format("'{}' cannot be read as HDF5: it is truncated, damaged or still being written", path)};
}

}  // namespace armilla::io

#include <armilla/io/hdf5_driver.hpp>

#include <algorithm>
#include <array>

namespace armilla::io {

namespace {

constexpr haddr_t kMaxAddress = (haddr_t{1} << 63) - 1;  // of an offset in a file
constexpr const char* kContext = "file driver of HDF5";

thread_local core::ErrorKind last_kind = core::ErrorKind::kInternal;  // of push_hdf5_reason()

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) {
  return static_cast<const DriverFile*>(file)->end_of_addresses;
}

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  static_cast<DriverFile*>(file)->end_of_addresses = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return static_cast<const DriverFile*>(file)->end_of_file; }

}  // namespace

H5FD_class_t hdf5_driver(const char* name) {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = H5_VFD_RESERVED;  // the first value that HDF5 leaves to others
#endif
  driver.name = name;
  driver.maxaddr = kMaxAddress;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  constexpr std::array<H5FD_mem_t, H5FD_MEM_NTYPES> separate = {H5FD_FLMAP_DICHOTOMY};
  std::ranges::copy(separate, driver.fl_map);
  return driver;
}

hid_t register_hdf5_driver(const H5FD_class_t& driver) {
  return hdf5_checked(H5FDregister(&driver), kResource, kContext);
}

Hdf5Handle hdf5_access(hid_t driver, const void* info) {
  Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, kResource, kContext);
  hdf5_checked(H5Pset_driver(access.get(), driver, info), kResource, kContext);
  return access;
}

void push_hdf5_reason(core::ErrorKind kind, const char* reason) {
  last_kind = kind;
  H5Epush2(H5E_DEFAULT, __FILE__, kDriverFunction, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_CANTOPENFILE, "%s", reason);
}

core::ErrorKind kind_of_hdf5_driver() { return last_kind; }

}  // namespace armilla::io

#include <armilla/core/error.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_tables_unpacked.hpp>
#include <armilla/io/gzip.hpp>
#include <armilla/io/packed_table_check.hpp>

#include <cstdlib>
#include <memory>
#include <span>

#include <fitsio.h>
#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::size_t kFirstBytes = 1 << 20;

struct FitsCloser {
  void operator()(fitsfile* file) const {
    int status = 0;
    fits_close_file(file, &status);
    fits_clear_errmsg();
  }
};
using FitsPointer = std::unique_ptr<fitsfile, FitsCloser>;

void check(int status, const std::string& name) {
  if (status == 0) return;
  char text[FLEN_STATUS];
  fits_get_errstatus(status, text);
  fits_clear_errmsg();
  throw core::InputError(fmt::format(
      "'{}': its compressed tables cannot be read: the file is truncated or damaged (FITS: {})", name, text));
}

}  // namespace

void unpack_fits_tables(const std::string& path, const std::string& name, int descriptor) {
  int status = 0;
  fitsfile* opened = nullptr;
  fits_open_diskfile(&opened, path.c_str(), READONLY, &status);
  const FitsPointer in(opened);
  check(status, name);
  // cfitsio reallocates the buffer while the file grows.
  void* bytes = std::malloc(kFirstBytes);
  const auto free_bytes = [&bytes](void*) { std::free(bytes); };
  const std::unique_ptr<void*, decltype(free_bytes)> owner(&bytes, free_bytes);
  if (bytes == nullptr) throw std::bad_alloc();
  std::size_t size = kFirstBytes;
  fitsfile* created = nullptr;
  fits_create_memfile(&created, &bytes, &size, kFirstBytes, std::realloc, &status);
  const FitsPointer out(created);
  check(status, name);
  int count = 0;
  fits_get_num_hdus(in.get(), &count, &status);
  for (int hdu = 1; hdu <= count && status == 0; ++hdu) {
    int type = 0, is_compressed = 0, absent = 0;
    fits_movabs_hdu(in.get(), hdu, &type, &status);
    if (type == BINARY_TBL) fits_read_key(in.get(), TLOGICAL, "ZTABLE", &is_compressed, nullptr, &absent);
    fits_clear_errmsg();
    if (is_compressed != 0 && absent == 0) {
      check_packed_table(in.get(), name);
      fits_uncompress_table(in.get(), out.get(), &status);
    } else {
      fits_copy_hdu(in.get(), out.get(), 0, &status);
    }
  }
  fits_flush_file(out.get(), &status);
  LONGLONG header = 0, data = 0, end = 0;
  fits_get_hduaddrll(out.get(), &header, &data, &end, &status);
  check(status, name);
  write_contents(descriptor, {static_cast<const char*>(bytes), static_cast<std::size_t>(end)}, name);
}

}  // namespace armilla::io

#include <armilla/core/input_file.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/text.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/foreign_files.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace armilla::io {

namespace {

// The meaning of the status, followed by the messages of cfitsio, oldest first. Clears cfitsio's message stack.
std::string fits_reason(int status) {
  char text[FLEN_STATUS];
  fits_get_errstatus(status, text);
  std::string reason = text;
  char note[FLEN_ERRMSG];
  while (fits_read_errmsg(note) != 0) reason += std::string("; ") + trimmed(note);
  return core::excerpt(reason);
}

template <class T>
constexpr int fits_type() {
  if constexpr (std::is_same_v<T, float>) return TFLOAT;
  if constexpr (std::is_same_v<T, double>) return TDOUBLE;
  return TLONGLONG;
}

// Row and element within it, both from 1.
std::pair<LONGLONG, LONGLONG> place_of(const FitsColumn& column, Index first) {
  return {first / column.repeat + 1, first % column.repeat + 1};
}

// A keyword of any type; std::nullopt if it is absent. Throws an error that names the keyword if its value cannot be
// converted.
template <class Read>
bool read_keyword(const FitsFile& file, const std::string& key, Read read) {
  char text[FLEN_VALUE];
  int status = 0;
  if (fits_read_keyword(file.get(), key.c_str(), text, nullptr, &status) != 0 || text[0] == '\0') {
    fits_clear_errmsg();
    if (status == 0 || status == KEY_NO_EXIST || status == VALUE_UNDEFINED) return false;
    file.check(status, fmt::format("keyword {} cannot be read", key));
  }
  read(&status);
  if (status != 0)
    throw core::InputError(fmt::format("'{}': {} = {} has the wrong type: correct the header", file.name(), key, text));
  return true;
}

}  // namespace

void check_fits_path(const std::string& path, const std::string& name) {
  if (path.size() < FLEN_FILENAME) return;
  throw core::InputError(
      fmt::format("'{}' cannot be written as FITS: the path of its temporary file has {} bytes, and cfitsio allows {}: "
                  "write .h5, or use another folder",
                  name, path.size(), FLEN_FILENAME - 1));
}

FitsFile FitsFile::open(const std::string& path) {
  core::check_readable(path);
  std::shared_ptr<const core::NodeFile> contents = fits_contents(path);
  fitsfile* file = nullptr;
  int status = 0;
  // cfitsio would expand ~NAME to the home directory of a user.
  const std::string literal = contents ? contents->path() : path.starts_with('~') ? "./" + path : path;
  fits_open_diskfile(&file, literal.c_str(), READONLY, &status);
  FitsFile result(file, path, core::ErrorKind::kInput);
  result.contents_ = std::move(contents);
  result.check(status, "it is truncated, damaged or not a FITS file");
  return result;
}

FitsFile FitsFile::create(const std::string& path, const std::string& name) {
  check_fits_path(path, name);
  ::unlink(path.c_str());  // cfitsio does not overwrite files
  fitsfile* file = nullptr;
  int status = 0;
  fits_create_diskfile(&file, path.c_str(), &status);
  FitsFile result(file, name, core::ErrorKind::kResource);
  result.check(status, "it cannot be created");
  fits_create_img(file, BYTE_IMG, 0, nullptr, &status);
  result.check(status, "its header cannot be written");
  result.reserve_cards();
  return result;
}

FitsFile::FitsFile(FitsFile&& other) noexcept
    : contents_(std::move(other.contents_)),
      file_(std::exchange(other.file_, nullptr)),
      name_(std::move(other.name_)),
      kind_(other.kind_) {}

FitsFile& FitsFile::operator=(FitsFile&& other) noexcept {
  std::swap(contents_, other.contents_);
  std::swap(file_, other.file_);
  std::swap(name_, other.name_);
  std::swap(kind_, other.kind_);
  return *this;
}

FitsFile::~FitsFile() {
  if (file_ == nullptr) return;
  int status = 0;
  fits_close_file(file_, &status);
  fits_clear_errmsg();
}

void FitsFile::check(int status, const std::string& what) const {
  if (status == 0) return;
  const int error_number = errno;
  const std::string reason = fits_reason(status);
  if (kind_ == core::ErrorKind::kResource &&
      (error_number == ENOSPC || error_number == EFBIG || error_number == EDQUOT))
    throw core::ResourceError(core::write_error_text(name_, error_number));
  core::throw_error(kind_, fmt::format("'{}': {} (FITS: {})", name_, what, reason));
}

void FitsFile::close() {
  int status = 0;
  errno = 0;
  if (kind_ == core::ErrorKind::kResource) write_checksums();
  fits_close_file(std::exchange(file_, nullptr), &status);
  check(status, "it cannot be written: check the disk");
}

void FitsFile::move_to(int hdu) const {
  int status = 0;
  fits_movabs_hdu(file_, hdu, nullptr, &status);
  check(status, fmt::format("HDU {} cannot be read: the file is truncated or damaged", hdu - 1));
}

int FitsFile::hdu() const {
  int number = 0;
  return fits_get_hdu_num(file_, &number);
}

int FitsFile::hdu_count() const {
  int count = 0, status = 0;
  fits_get_num_hdus(file_, &count, &status);
  check(status, "its HDUs cannot be counted: the file is truncated or damaged");
  return count;
}

int FitsFile::move_to_table(int from) const {
  const int count = hdu_count();
  for (int hdu = from; hdu <= count; ++hdu) {
    int type = 0, status = 0;
    fits_movabs_hdu(file_, hdu, &type, &status);
    check(status, fmt::format("HDU {} cannot be read: the file is truncated or damaged", hdu - 1));
    if (type == IMAGE_HDU) continue;
    move_to(hdu);
    return hdu;
  }
  // cfitsio counts HDUs up to the first that it cannot read.
  int status = 0;
  fits_movabs_hdu(file_, count + 1, nullptr, &status);
  if (status != END_OF_FILE) check(status, fmt::format("HDU {} cannot be read: the file is damaged", count));
  fits_clear_errmsg();
  refuse_fits_images(*this);
  throw core::InputError(
      fmt::format("'{}' contains no table: it is truncated, or contains no map, coefficients or spectra", name_));
}

std::optional<std::string> fits_text(const FitsFile& file, const std::string& key) {
  char text[FLEN_VALUE] = "";
  const bool found = read_keyword(
      file, key, [&](int* status) { fits_read_key(file.get(), TSTRING, key.c_str(), text, nullptr, status); });
  return found ? std::optional<std::string>(trimmed(text)) : std::nullopt;
}

std::optional<Index> fits_index(const FitsFile& file, const std::string& key) {
  const std::optional<double> value = fits_number(file, key);
  if (!value) return std::nullopt;
  if (*value != std::floor(*value) || std::abs(*value) > 9e15)
    throw core::InputError(
        fmt::format("'{}': {} = {} is not an integer: correct the header", file.name(), key, *value));
  return static_cast<Index>(*value);
}

std::optional<double> fits_number(const FitsFile& file, const std::string& key) {
  double value = 0;
  const bool found = read_keyword(
      file, key, [&](int* status) { fits_read_key(file.get(), TDOUBLE, key.c_str(), &value, nullptr, status); });
  return found ? std::optional<double>(value) : std::nullopt;
}

void write_fits_text(const FitsFile& file, const char* key, const std::string& value, const char* comment) {
  int status = 0;
  fits_write_key_str(file.get(), key, value.c_str(), comment, &status);
  file.check(status, fmt::format("keyword {} cannot be written", key));
}

void write_fits_index(const FitsFile& file, const char* key, Index value, const char* comment) {
  int status = 0;
  fits_write_key_lng(file.get(), key, value, comment, &status);
  file.check(status, fmt::format("keyword {} cannot be written", key));
}

void write_fits_number(const FitsFile& file, const char* key, double value, const char* comment) {
  int status = 0;
  fits_write_key_dbl(file.get(), key, value, 12, comment, &status);
  file.check(status, fmt::format("keyword {} cannot be written", key));
}

bool FitsColumn::is_integer() const {
  return type == TBYTE || type == TSBYTE || type == TSHORT || type == TUSHORT || type == TINT || type == TUINT ||
         type == TLONG || type == TULONG || type == TLONGLONG || type == TULONGLONG || type == TINT32BIT;
}

bool FitsColumn::is_single() const {
  return type == TFLOAT || type == TBYTE || type == TSBYTE || type == TSHORT || is_logical();
}

bool FitsColumn::is_number() const { return is_integer() || type == TFLOAT || type == TDOUBLE; }

std::vector<FitsColumn> fits_columns(const FitsFile& file) {
  int count = 0, status = 0;
  fits_get_num_cols(file.get(), &count, &status);
  file.check(status, "its columns cannot be counted");
  const Index row_bytes = fits_index(file, "NAXIS1").value_or(0);
  std::vector<FitsColumn> columns;
  for (int number = 1; number <= count; ++number) {
    FitsColumn& column = columns.emplace_back();
    LONGLONG repeat = 0, width = 0;
    fits_get_eqcoltypell(file.get(), number, &column.type, &repeat, &width, &status);
    file.check(status, fmt::format("the type of column {} cannot be read", number));
    column.number = number;
    column.repeat = repeat;
    // cfitsio compares the sum of the widths with NAXIS1, but the sum may overflow. A byte has at most 8 values (bits).
    if (repeat < 0 || repeat / 8 > row_bytes)
      throw core::InputError(
          fmt::format("'{}': column {} has {} values per row, but its rows have {} bytes: the file is damaged",
                      file.name(), number, repeat, row_bytes));
    column.name = fits_text(file, fmt::format("TTYPE{}", number)).value_or("");
    column.unit = unit_of(fits_text(file, fmt::format("TUNIT{}", number)).value_or(""));
    column.has_undefined = fits_text(file, fmt::format("TNULL{}", number)).has_value();
  }
  return columns;
}

Index fits_rows(const FitsFile& file) {
  LONGLONG rows = 0;
  int status = 0;
  fits_get_num_rowsll(file.get(), &rows, &status);
  file.check(status, "its rows cannot be counted");
  return rows;
}

namespace {

/// Replacement for an undefined value: NaN, or -1 for integers.
template <class T>
constexpr T kUndefined = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(-1);

template <class T>
void read_logical(const FitsFile& file, const FitsColumn& column, Index first, Index count, T* out) {
  constexpr Index kMaxValues = Index{1} << 20;
  std::vector<char> values(static_cast<std::size_t>(std::min(count, kMaxValues)));
  std::vector<char> undefined(values.size());
  for (Index done = 0; done < count; done += kMaxValues) {
    const Index now = std::min(kMaxValues, count - done);
    const auto [row, element] = place_of(column, first + done);
    int any = 0, status = 0;
    fits_read_colnull(file.get(), TLOGICAL, column.number, row, element, now, values.data(), undefined.data(), &any,
                      &status);
    file.check(status, fmt::format("column {} ('{}') cannot be read", column.number, column.name));
    for (Index i = 0; i < now; ++i) {
      const auto at = static_cast<std::size_t>(i);
      out[done + i] = undefined[at] != 0 ? kUndefined<T> : static_cast<T>(values[at] != 0 ? 1 : 0);
    }
  }
}

}  // namespace

Index fits_buffered_rows(const FitsFile& file) {
  long rows = 0;
  int status = 0;
  fits_get_rowsize(file.get(), &rows, &status);
  file.check(status, "the length of its rows is not defined");
  return std::max<Index>(rows, 1);
}

template <class T>
void read_fits_values(const FitsFile& file, const FitsColumn& column, Index first, Index count, T* out) {
  if (count == 0) return;
  if (column.is_logical()) return read_logical(file, column, first, count, out);
  int any = 0, status = 0;
  const auto [row, element] = place_of(column, first);
  T undefined = kUndefined<T>;
  fits_read_col(file.get(), fits_type<T>(), column.number, row, element, count,
                column.has_undefined ? &undefined : nullptr, out, &any, &status);
  file.check(status, fmt::format("column {} ('{}') cannot be read", column.number, column.name));
}

template <class T>
void write_fits_values(const FitsFile& file, const FitsColumn& column, Index first, Index count, const T* values) {
  if (count == 0) return;
  int status = 0;
  errno = 0;
  const auto [row, element] = place_of(column, first);
  fits_write_col(file.get(), fits_type<T>(), column.number, row, element, count, const_cast<T*>(values), &status);
  file.check(status, fmt::format("column {} ('{}') cannot be written: check the disk", column.number, column.name));
}

ARMILLA_INSTANTIATE(read_fits_values);
template void read_fits_values<Index>(const FitsFile&, const FitsColumn&, Index, Index, Index*);
ARMILLA_INSTANTIATE(write_fits_values);
template void write_fits_values<Index>(const FitsFile&, const FitsColumn&, Index, Index, const Index*);

}  // namespace armilla::io

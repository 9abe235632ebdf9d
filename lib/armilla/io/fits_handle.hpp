#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/node_file.hpp>
#include <armilla/core/types.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitsio.h>

namespace armilla::io {

using core::Index;

/// Throws InputError if a path is too long for cfitsio; `name` is the output in the message.
void check_fits_path(const std::string& path, const std::string& name);

/// An open FITS file, used by one process at a time.
class FitsFile {
 public:
  /// Opens a file for reading; a compressed one by its fits_contents(). Throws InputError for a missing or foreign
  /// file. The name is taken literally, without cfitsio's filters.
  static FitsFile open(const std::string& path);
  /// Creates an empty file at `path`, replacing an existing one; `name` is used in messages. Throws ResourceError.
  static FitsFile create(const std::string& path, const std::string& name);

  FitsFile(FitsFile&& other) noexcept;
  FitsFile& operator=(FitsFile&& other) noexcept;
  ~FitsFile();

  fitsfile* get() const { return file_; }
  /// The name for messages.
  const std::string& name() const { return name_; }
  /// Throws an error of the kind for reading or writing unless `status` is 0; `what` describes the operation.
  void check(int status, const std::string& what) const;
  /// Writes the checksums of a file from create(), and flushes buffers. Throws ResourceError.
  void close();

  /// Writes the cards CREATOR, CHECKSUM and DATASUM of the current HDU; close() fills in the checksums. Throws
  /// ResourceError.
  void reserve_cards() const;

  /// Moves to the HDU (1 is the primary one) and checks that the file has all its bytes. Throws InputError.
  void move_to(int hdu) const;
  int hdu_count() const;
  /// The number of the current HDU.
  int hdu() const;
  /// Moves to the first table at or after HDU `from` and returns its index. Throws InputError if there is none.
  int move_to_table(int from = 2) const;

 private:
  void write_checksums() const;
  FitsFile(fitsfile* file, std::string name, core::ErrorKind kind) : file_(file), name_(std::move(name)), kind_(kind) {}
  std::shared_ptr<const core::NodeFile> contents_;  // of a compressed file
  fitsfile* file_ = nullptr;
  std::string name_;
  core::ErrorKind kind_ = core::ErrorKind::kInput;
};

/// Keywords of the current HDU; std::nullopt if absent. Throws InputError, naming file and keyword, for another type.
std::optional<std::string> fits_text(const FitsFile& file, const std::string& key);
std::optional<Index> fits_index(const FitsFile& file, const std::string& key);
std::optional<double> fits_number(const FitsFile& file, const std::string& key);

/// Writers of keywords of the current HDU. Throws ResourceError.
void write_fits_text(const FitsFile& file, const char* key, const std::string& value, const char* comment);
void write_fits_index(const FitsFile& file, const char* key, Index value, const char* comment);
void write_fits_number(const FitsFile& file, const char* key, double value, const char* comment);

/// A column of the current table.
struct FitsColumn {
  int number = 0;  ///< from 1
  std::string name;
  std::string unit;
  int type = 0;  ///< cfitsio's code, after scaling
  Index repeat = 0;
  bool has_undefined = false;  ///< TNULLn gives the integer that means undefined
  bool is_number() const;
  bool is_integer() const;
  bool is_logical() const { return type == TLOGICAL; }  ///< T and F, as for masks
  /// Numbers or logical values, that is, values of a map.
  bool has_values() const { return is_number() || is_logical(); }
  /// Values that fit in single precision: 32-bit floating point, 8-bit and 16-bit integers, T and F.
  bool is_single() const;
};
std::vector<FitsColumn> fits_columns(const FitsFile& file);
Index fits_rows(const FitsFile& file);

/// Number of rows of the current table that fit in the buffers of cfitsio. Columns of the same rows are read and
/// written in slices of this many rows: for longer slices, cfitsio passes through the rows once for each column.
Index fits_buffered_rows(const FitsFile& file);

/// `count` values of a column, starting at value `first` (0 based, over all rows). T: float, double, Index. Read: NaN
/// is unchanged; logical T is 1, F is 0; an undefined value (TNULLn) is NaN, or -1 for Index. Reading throws
/// InputError, writing throws ResourceError.
template <class T>
void read_fits_values(const FitsFile& file, const FitsColumn& column, Index first, Index count, T* out);
template <class T>
void write_fits_values(const FitsFile& file, const FitsColumn& column, Index first, Index count, const T* values);

}  // namespace armilla::io

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/packed_table_check.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace armilla::io {

namespace {

using core::Index;

/// A column of the table before compression.
struct PackedColumn {
  std::string algorithm;
  int type = 0;     ///< of cfitsio
  Index bytes = 0;  ///< of one row
};

class PackedTable {
 public:
  PackedTable(fitsfile* file, const std::string& name) : file_(file), name_(name) {}

  void check() {
    const Index columns = number("TFIELDS"), tiles = number("NAXIS2"), width = number("ZNAXIS1"),
                rows = number("ZNAXIS2"), tile_rows = number("ZTILELEN");
    Index sum = 0;
    std::vector<PackedColumn> table;
    for (Index i = 1; i <= columns; ++i) sum += table.emplace_back(column(i)).bytes;
    if (sum != width) refuse(fmt::format("ZNAXIS1 = {}, but the columns have {} bytes", width, sum));
    if (rows < 0 || tile_rows < 1 || rows > (Index{1} << 40) || tile_rows > (Index{1} << 40))
      refuse(fmt::format("ZNAXIS2 = {}, ZTILELEN = {}", rows, tile_rows));
    if (tiles != (rows + tile_rows - 1) / tile_rows)
      refuse(fmt::format("{} rows in tiles of {} need {} tiles, but there are {}", rows, tile_rows,
                         (rows + tile_rows - 1) / tile_rows, tiles));
    for (Index tile = 0; tile < tiles; ++tile)
      for (Index i = 0; i < columns; ++i)
        check_tile(tile + 1, i + 1, table[core::at(i)], std::min(tile_rows, rows - tile * tile_rows));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw core::InputError(
        fmt::format("'{}': its compressed table is damaged: {}: copy or compress the file again", name_, what));
  }

  std::optional<std::string> text(const std::string& key) const {
    char value[FLEN_VALUE] = "";
    int status = 0;
    fits_read_key(file_, TSTRING, key.c_str(), value, nullptr, &status);
    fits_clear_errmsg();
    return status == 0 ? std::optional<std::string>(value) : std::nullopt;
  }

  Index number(const std::string& key) const {
    LONGLONG value = 0;
    int status = 0;
    fits_read_key(file_, TLONGLONG, key.c_str(), &value, nullptr, &status);
    fits_clear_errmsg();
    if (status != 0) refuse(fmt::format("{} is missing or not an integer", key));
    return value;
  }

  PackedColumn column(Index i) const {
    const std::string form = text(fmt::format("ZFORM{}", i)).value_or("");
    PackedColumn column{.algorithm = upper(text(fmt::format("ZCTYP{}", i)).value_or(""))};
    long repeat = 0, width = 0;
    int status = 0;
    std::string copy = form;
    fits_binary_tform(copy.data(), &column.type, &repeat, &width, &status);
    fits_clear_errmsg();
    if (form.empty() || status != 0 || repeat < 0) refuse(fmt::format("ZFORM{} = '{}'", i, form));
    if (column.type < 0)
      throw core::InputError(
          fmt::format("'{}': its compressed table has a column of variable length (ZFORM{} = '{}'), which is not "
                      "supported: uncompress it with funpack",
                      name_, i, form));
    column.bytes = column.type == TSTRING ? repeat : column.type == TBIT ? (repeat + 7) / 8 : repeat * width;
    const bool is_integer = column.type == TBYTE || column.type == TSHORT || column.type == TLONG;
    const bool is_known =
        column.algorithm == "GZIP_1" || column.algorithm == "GZIP_2" || (column.algorithm == "RICE_1" && is_integer);
    if (!is_known) refuse(fmt::format("ZCTYP{} = '{}' of a column with ZFORM{} = '{}'", i, column.algorithm, i, form));
    return column;
  }

  void check_tile(Index tile, Index i, const PackedColumn& column, Index rows) {
    LONGLONG size = 0, place = 0;
    int status = 0;
    fits_read_descriptll(file_, static_cast<int>(i), tile, &size, &place, &status);
    const bool is_gzip = column.algorithm != "RICE_1";
    const Index wanted = rows * column.bytes;
    if (status != 0 || size < 0 || place < 0 || size > (Index{1} << 40)) refuse(fmt::format("tile {}", tile));
    if (size == 0 && wanted == 0) return;
    if (!is_gzip) return;
    packed_.resize(core::at(size));
    fits_read_col(file_, TBYTE, static_cast<int>(i), tile, 1, size, nullptr, packed_.data(), nullptr, &status);
    fits_clear_errmsg();
    if (status != 0) refuse(fmt::format("tile {} of column {} cannot be read", tile, i));
    if (inflated(wanted) != wanted)
      refuse(fmt::format("tile {} of column {} does not contain the {} bytes of its values", tile, i, wanted));
  }

  /// Number of bytes to which packed_ inflates, if they are at most `most`; otherwise -1, as for damaged ones.
  Index inflated(Index most) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
    stream.next_in = packed_.data();
    stream.avail_in = static_cast<unsigned>(packed_.size());
    Index bytes = 0;
    int status = Z_OK;
    while (status == Z_OK && bytes <= most) {
      stream.next_out = scratch_.data();
      stream.avail_out = static_cast<unsigned>(scratch_.size());
      status = inflate(&stream, Z_NO_FLUSH);
      bytes += static_cast<Index>(scratch_.size()) - stream.avail_out;
    }
    inflateEnd(&stream);
    return status == Z_STREAM_END ? bytes : -1;
  }

  fitsfile* file_;
  const std::string& name_;
  std::vector<unsigned char> packed_, scratch_ = std::vector<unsigned char>(1 << 16);
};

}  // namespace

void check_packed_table(fitsfile* file, const std::string& name) { PackedTable(file, name).check(); }

}  // namespace armilla::io

#include <armilla/core/instantiate.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_map.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/healpix_header.hpp>
#include <armilla/io/pixel_order.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

struct MapTable {
  std::vector<FitsColumn> maps;
  FitsColumn pixel;  // number 0 if the index is implicit
  Index values = 0;  // number of values of each map column
};

bool has_explicit_index(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  const std::string scheme = upper(fits_text(file, "INDXSCHM").value_or(""));
  if (!scheme.empty() && scheme != "EXPLICIT" && scheme != "IMPLICIT")
    throw core::InputError(fmt::format("'{}': INDXSCHM = '{}' must be IMPLICIT or EXPLICIT", file.name(), scheme));
  if (!scheme.empty()) return scheme == "EXPLICIT";
  const std::string object = upper(fits_text(file, "OBJECT").value_or(""));
  return object == "PARTIAL" || (!columns.empty() && upper(columns.front().name) == "PIXEL");
}

MapTable explicit_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows) {
  const auto named = std::ranges::find_if(columns, [](const FitsColumn& c) { return upper(c.name) == "PIXEL"; });
  const FitsColumn& pixel = named != columns.end() ? *named : columns.front();
  if (!pixel.is_integer())
    throw core::InputError(fmt::format(
        "'{}': INDXSCHM is EXPLICIT, but column '{}' does not contain integers: name the index column PIXEL",
        file.name(), pixel.name));
  MapTable table{.maps = {}, .pixel = pixel, .values = rows * pixel.repeat};
  for (const FitsColumn& column : columns)
    if (column.number != pixel.number && column.has_values() && column.repeat == pixel.repeat)
      table.maps.push_back(column);
  return table;
}

MapTable implicit_table(const FitsFile& file, const std::vector<FitsColumn>& columns, Index rows, Index npix) {
  MapTable table{.maps = {}, .pixel = {}, .values = npix};
  for (const FitsColumn& column : columns)
    if (column.has_values() && column.repeat * rows == npix) table.maps.push_back(column);
  if (!table.maps.empty()) return table;
  for (const FitsColumn& column : columns)
    if (column.has_values())
      throw core::InputError(fmt::format(
          "'{}': column '{}' has {} pixels, but NSIDE requires {}: correct NSIDE, or restore the truncated data",
          file.name(), column.name, column.repeat * rows, npix));
  return table;
}

MapTable map_table(const FitsFile& file, Index npix) {
  const std::vector<FitsColumn> columns = fits_columns(file);
  const Index rows = fits_rows(file);
  MapTable table = has_explicit_index(file, columns) ? explicit_table(file, columns, rows)
                                                     : implicit_table(file, columns, rows, npix);
  if (table.maps.empty())
    throw core::InputError(
        fmt::format("'{}': no column of the table can be read as a map: use numbers, or logical values (T, F) for a "
                    "mask, not text, bits or complex numbers",
                    file.name()));
  if (table.values > npix)
    throw core::InputError(
        fmt::format("'{}': the table lists {} pixels, but NSIDE allows {}", file.name(), table.values, npix));
  return table;
}

void check_full_range(const FitsFile& file, Index npix) {
  const Index first = fits_index(file, "FIRSTPIX").value_or(0);
  const Index last = fits_index(file, "LASTPIX").value_or(npix - 1);
  if (first != 0 || last != npix - 1)
    throw core::InputError(
        fmt::format("'{}': FIRSTPIX = {} and LASTPIX = {} do not span the {} pixels of NSIDE: correct the header",
                    file.name(), first, last, npix));
}

// Calls visit(row value, pixel number) for all pixel numbers of an explicit index, until it returns false.
template <class Visit>
void visit_pixels(const FitsFile& file, const MapTable& table, Visit visit) {
  const Index slice = fits_buffered_rows(file) * table.pixel.repeat;
  std::vector<Index> pixels(static_cast<std::size_t>(slice));
  for (Index first = 0; first < table.values; first += slice) {
    const Index count = std::min(slice, table.values - first);
    read_fits_values(file, table.pixel, first, count, pixels.data());
    for (Index i = 0; i < count; ++i)
      if (!visit(first + i, pixels[static_cast<std::size_t>(i)])) return;
  }
}

// Throws an error that names the first pixel number that occurs again, of all ranks. It marks the pixels of a part of
// the sky at a time, because the numbers of the whole sky may not fit in memory.
[[noreturn]] void throw_repeated_pixel(const FitsFile& file, const MapTable& table, Index npix) {
  constexpr Index kPart = Index{1} << 26;
  Index row = table.values, pixel = -1;
  for (Index begin = 0; begin < npix; begin += kPart) {
    std::vector<bool> seen(static_cast<std::size_t>(std::min(kPart, npix - begin)));
    visit_pixels(file, table, [&](Index at, Index number) {
      if (at >= row) return false;
      if (number < begin || number - begin >= static_cast<Index>(seen.size())) return true;
      auto marked = seen[static_cast<std::size_t>(number - begin)];
      if (marked) {
        row = at;
        pixel = number;
        return false;
      }
      marked = true;
      return true;
    });
  }
  throw core::InputError(fmt::format(
      "'{}': column '{}' contains pixel {} twice (again in row {}), so its value is ambiguous: remove one of "
      "the rows, or add their values",
      file.name(), table.pixel.name, pixel, row / table.pixel.repeat + 1));
}

template <class T>
void read_explicit(const FitsFile& file, const MapInfo& info, const MapTable& table, const FitsColumn& column,
                   std::span<const dist::PixelRange> ranges, std::span<T> out) {
  std::ranges::fill(out, static_cast<T>(kBadPixel));
  const PixelLookup lookup(ranges);
  const Index nside = info.grid->description().nside;
  const Index slice = fits_buffered_rows(file) * table.pixel.repeat;
  std::vector<Index> pixels(static_cast<std::size_t>(slice));
  std::vector<T> values(static_cast<std::size_t>(slice));
  std::vector<bool> seen(out.size());
  for (Index first = 0; first < table.values; first += slice) {
    const Index count = std::min(slice, table.values - first);
    read_fits_values(file, table.pixel, first, count, pixels.data());
    read_fits_values(file, column, first, count, values.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (pixels[i] < 0 || pixels[i] >= info.grid->npix())
        throw core::InputError(fmt::format("'{}': column '{}' contains pixel {}, but NSIDE = {} has pixels 0 .. {}",
                                           info.path, table.pixel.name, pixels[i], nside, info.grid->npix() - 1));
      const Index ring = info.ordering == Ordering::kRing ? pixels[i] : ring_of_nested(nside, pixels[i]);
      const Index position = lookup.position(ring);
      if (position < 0) continue;
      const auto at = static_cast<std::size_t>(position);
      if (seen[at]) throw_repeated_pixel(file, table, info.grid->npix());
      seen[at] = true;
      out[at] = values[i];
    }
  }
}

}  // namespace

MapInfo open_fits_map(const std::string& path) {
  const FitsFile file = FitsFile::open(path);
  file.move_to_table();
  const std::string pixels = upper(fits_text(file, "PIXTYPE").value_or("HEALPIX"));
  if (pixels != "HEALPIX")
    throw core::InputError(
        fmt::format("'{}': PIXTYPE = '{}' is not supported: FITS maps must be HEALPIX", path, pixels));
  MapInfo info;
  info.path = path;
  info.format = Format::kFits;
  const std::optional<Index> nside = fits_index(file, "NSIDE");
  info.ordering = required_ordering(fits_text(file, "ORDERING").value_or(""), path);
  const Index npix = healpix_pixels(nside, path);
  const MapTable table = map_table(file, npix);
  info.grid = healpix_grid(nside, info.ordering, path);
  info.explicit_index = table.pixel.number != 0;
  if (!info.explicit_index) check_full_range(file, npix);
  info.components = static_cast<Index>(table.maps.size());
  info.rows = table.values;
  info.precision = core::Precision::kSingle;
  for (const FitsColumn& column : table.maps) {
    if (!column.is_single()) info.precision = core::Precision::kDouble;
    info.metadata.fields.push_back(field_of_column(column.name));
    info.metadata.units.push_back(column.unit);
  }
  read_fits_conventions(file, info.metadata);
  info.bad_value = fits_number(file, "BAD_DATA").value_or(kBadPixel);
  return info;
}

template <class T>
void read_fits_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out) {
  const FitsFile file = FitsFile::open(info.path);
  file.move_to_table();
  const MapTable table = map_table(file, info.grid->npix());
  if (static_cast<Index>(table.maps.size()) != info.components || table.values != info.rows)
    throw core::InputError(fmt::format("'{}' has changed since its header was read: run again", info.path));
  const FitsColumn& column = table.maps[static_cast<std::size_t>(component)];
  if (info.explicit_index) return read_explicit(file, info, table, column, ranges, out);
  read_in_ring_order<T>(
      info.ordering, info.grid->description().nside, ranges, out,
      [&](Index first, Index count, T* values) { read_fits_values(file, column, first, count, values); });
}

ARMILLA_INSTANTIATE(read_fits_map);

}  // namespace armilla::io

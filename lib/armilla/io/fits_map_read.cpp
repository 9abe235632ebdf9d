#include <armilla/core/instantiate.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_extensions.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_map.hpp>
#include <armilla/io/fits_map_table.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/healpix_header.hpp>
#include <armilla/io/multi_order.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/io/point_columns.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

void check_full_range(const FitsFile& file, Index npix) {
  const Index first = fits_index(file, "FIRSTPIX").value_or(0);
  const Index last = fits_index(file, "LASTPIX").value_or(npix - 1);
  if (first != 0 || last != npix - 1)
    throw core::InputError(
        core::ErrorContext{.text = fmt::format("'{}': FIRSTPIX = {} and LASTPIX = {} do not span the {} pixels of "
                                               "NSIDE: confirm NSIDE with {}, or correct the header",
                                               file.name(), first, last, npix, core::mention("", "nside", "N"))});
}

std::optional<Index> nside_of(const FitsFile& file, const StatedHeader& stated) {
  if ((stated.nside && stated.nside->is_forced) || is_multi_order(file)) return std::nullopt;
  const std::optional<std::string> text = fits_text_or_primary(file, "NSIDE");
  return text ? std::optional(header_index(*text, "NSIDE", "nside", file.name())) : std::nullopt;
}

std::optional<double> bad_value_of(const FitsFile& file, const StatedHeader& stated) {
  if (stated.bad_value && stated.bad_value->is_forced) return std::nullopt;
  const std::optional<std::string> text = fits_text(file, "BAD_DATA");
  return text ? std::optional(header_number(*text, "BAD_DATA", "bad_value", file.name())) : std::nullopt;
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

// A table of a map and its header.
struct MapHeader {
  Index nside = 0;
  Ordering ordering = Ordering::kRing;
  Index npix = 0;
  MapTable table;
};

// Multi-order maps have no nside and no order of pixels of their own. A forced ordering is ignored.
void check_multi_order(const FitsFile& file, const StatedHeader& stated) {
  if (stated.ordering && !stated.ordering->is_forced)
    throw core::InputError(core::ErrorContext{
        .key = "ordering",
        .text = fmt::format("does not apply to '{}', a multi-order map (ORDERING = NUNIQ): remove {}", file.name(),
                            core::mention("", "ordering")),
        .form = core::ErrorContext::Form::kPredicate});
  if (stated.nside) return;
  const MapTable table = multi_order_table(file, fits_columns(file), fits_rows(file));
  const auto [coarsest, finest] = cell_sizes(file, table.pixel, table.values);
  throw core::InputError(core::ErrorContext{
      .text = fmt::format("'{}' is a multi-order map (ORDERING = NUNIQ), with cells of nside {} to {}: state the nside "
                          "of the map to be made from it, such as {}",
                          file.name(), coarsest, finest, core::mention("", "nside", fmt::format("{}", finest)))});
}

void check_stated_nside(const FitsFile& file, const StatedHeader& stated, Ordering ordering) {
  if (!stated.nside || ordering != Ordering::kNested || has_nested_order(stated.nside->value)) return;
  throw core::InputError(core::ErrorContext{
      .key = "nside",
      .value = fmt::format("{}", stated.nside->value),
      .text = fmt::format("is not a power of two, as '{}' requires with ORDERING = {}: use a power of two", file.name(),
                          is_multi_order(file) ? "NUNIQ" : "NESTED"),
      .form = core::ErrorContext::Form::kPredicate});
}

MapHeader read_map_header(const FitsFile& file, const StatedHeader& stated) {
  const std::string pixels = upper(fits_text_or_primary(file, "PIXTYPE").value_or("HEALPIX"));
  if (pixels != "HEALPIX")
    throw core::InputError(
        fmt::format("'{}': PIXTYPE = '{}' is not supported: FITS maps must be HEALPIX", file.name(), pixels));
  MapHeader header;
  if (is_multi_order(file)) check_multi_order(file, stated);
  const std::optional<Index> nside = agreed_nside(file.name(), stated, nside_of(file, stated));
  header.ordering = is_multi_order(file)
                        ? Ordering::kNested
                        : agreed_ordering(file.name(), stated, fits_text_or_primary(file, "ORDERING").value_or(""));
  check_stated_nside(file, stated, header.ordering);
  header.npix = healpix_pixels(nside, file.name());
  header.nside = *nside;
  header.table = map_table(file, header.npix);
  return header;
}

bool is_stokes(const std::string& field) { return field == "T" || field == "Q" || field == "U"; }

// The name of a column. SIGNAL, of the cut-sky format of HEALPix, has one component per extension, which is named after
// it.
std::string name_of(const FitsFile& file, const FitsColumn& column) {
  const std::string extension = fits_text(file, "EXTNAME").value_or("");
  return upper(column.name) == "SIGNAL" && is_stokes(field_of_column(extension)) ? extension : column.name;
}

void add_column(const FitsFile& file, int hdu, const FitsColumn& column, MapInfo& info) {
  if (!column.is_single()) info.precision = core::Precision::kDouble;
  info.metadata.columns.push_back(name_of(file, column));
  info.metadata.units.push_back(column.unit);
  info.places.push_back({hdu, column.number});
  ++info.components;
}

// The header of the current HDU, if it is a map with the pixels of another; std::nullopt also for a damaged
// one, because it is not needed to read the other.
std::optional<MapHeader> header_like(const FitsFile& file, const MapHeader& first, const StatedHeader& stated) {
  if (!is_map_header(file) || upper(fits_text(file, "XTENSION").value_or("")) != "BINTABLE") return std::nullopt;
  try {
    MapHeader header = read_map_header(file, stated);
    const bool is_explicit = header.table.pixel.number != 0, is_like = is_explicit == (first.table.pixel.number != 0);
    return is_like && header.nside == first.nside ? std::optional(header) : std::nullopt;
  } catch (const core::InputError&) {
    return std::nullopt;
  }
}

// Throws InputError if the current extension, whose `field` is added to a map, states another order or convention.
void check_extension(const FitsFile& file, int hdu, const std::string& field, Ordering ordering,
                     const StatedHeader& stated, const MapInfo& info) {
  const auto check = [&](const char* keyword, std::string_view own, std::string_view first) {
    if (own == first) return;
    throw core::InputError(core::ErrorContext{
        .text =
            fmt::format("'{}': extension {} with {} has {} = {}, but the first one {}: make them equal, or read one "
                        "of them alone with {}",
                        file.name(), hdu - 1, field, keyword, own.empty() ? "nothing" : own,
                        first.empty() ? "nothing" : first, core::mention("", "hdu", fmt::format("{}", hdu - 1)))});
  };
  check("ORDERING", ordering_name(ordering), ordering_name(info.ordering));
  FieldMetadata own;
  read_fits_conventions(file, own);
  const auto is_iau = [](const FieldMetadata& metadata) { return metadata.polcconv == "IAU"; };
  if (!stated.polcconv && is_iau(own) != is_iau(info.metadata)) check("POLCCONV", own.polcconv, info.metadata.polcconv);
  if (!stated.coordsys && !own.coordsys.empty() && !info.metadata.coordsys.empty())
    check("COORDSYS", own.coordsys, info.metadata.coordsys);
}

// Adds T, Q and U of the extensions after `hdu` that have the same pixels, unless an earlier one has them.
void add_extensions(const FitsFile& file, int hdu, const MapHeader& first, const StatedHeader& stated, MapInfo& info) {
  const int count = file.hdu_count();
  while (++hdu <= count) {
    file.move_to(hdu);
    const std::optional<MapHeader> header = header_like(file, first, stated);
    if (!header) continue;
    for (const FitsColumn& column : header->table.maps) {
      const std::string field = field_of_column(name_of(file, column));
      const std::vector<std::string> there = fields_of_columns(info.metadata.columns);
      if (!is_stokes(field) || std::ranges::find(there, field) != there.end()) continue;
      check_extension(file, hdu, field, header->ordering, stated, info);
      add_column(file, hdu, column, info);
    }
  }
}

}  // namespace

MapInfo open_fits_map(const std::string& path, const StatedHeader& stated) {
  const FitsFile file = FitsFile::open(path);
  const std::optional<int> found = stated.hdu.empty() ? find_map(file) : move_to_hdu(file, stated.hdu);
  const int table = found ? *found : file.move_to_table();
  const MapHeader header = read_map_header(file, stated);
  MapInfo info;
  info.path = path;
  info.format = Format::kFits;
  info.ordering = header.ordering;
  info.grid = healpix_grid(header.nside, info.ordering, path);
  info.explicit_index = header.table.pixel.number != 0;
  if (!info.explicit_index && !stated.nside) check_full_range(file, header.npix);
  info.rows = header.table.values;
  info.precision = core::Precision::kSingle;
  for (const FitsColumn& column : header.table.maps) add_column(file, table, column, info);
  std::vector<Index> spins = spins_of(fits_text(file, "SPINS").value_or(""), info.components, path);
  read_fits_conventions(file, info.metadata);
  agree_on_metadata(path, stated, info.metadata);
  info.bad_value = agreed_bad_value(path, stated, bad_value_of(file, stated));
  const Index in_table = info.components;
  if (stated.hdu.empty()) add_extensions(file, table, header, stated, info);
  info.metadata.fields = fields_of_columns(info.metadata.columns);
  set_spins_of_columns(info.metadata);
  if (!spins.empty()) {  // of this table, not of the other extensions
    for (auto c = static_cast<std::size_t>(in_table); c < info.metadata.columns.size(); ++c)
      spins.push_back(spin_of(info.metadata, c));
    set_spins(info.metadata, std::move(spins));
  }
  return info;
}

template <class T>
void read_fits_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out) {
  const FitsFile file = FitsFile::open(info.path);
  const FitsPlace place = info.places[static_cast<std::size_t>(component)];
  file.move_to(place.hdu);
  const MapTable table = map_table(file, info.grid->npix());
  const auto column = std::ranges::find(table.maps, place.column, &FitsColumn::number);
  if (column == table.maps.end()) throw_changed(info.path);
  if (table.is_multi_order)
    return read_multi_order(file, table.pixel, *column, table.values, info.grid->description().nside, info.bad_value,
                            ranges, out);
  if (info.explicit_index) return read_explicit(file, info, table, *column, ranges, out);
  read_in_ring_order<T>(
      info.ordering, info.grid->description().nside, ranges, out,
      [&](Index first, Index count, T* values) { read_fits_values(file, *column, first, count, values); });
}

ARMILLA_INSTANTIATE(read_fits_map);

}  // namespace armilla::io

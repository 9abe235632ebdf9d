#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/healpix_table.hpp>
#include <armilla/io/point_columns.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

bool is_map_header(const FitsFile& file) {
  return upper(fits_text(file, "PIXTYPE").value_or("")) == "HEALPIX" || fits_text(file, "ORDERING") ||
         fits_text(file, "INDXSCHM");
}

bool is_alm_table(const std::vector<FitsColumn>& columns) {
  if (columns.size() < 3 || !columns[0].is_integer()) return false;
  return upper(columns[0].name) == "INDEX" && upper(columns[1].name) == "REAL" && upper(columns[2].name) == "IMAG";
}

bool is_spectra_table(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  if (upper(fits_text(file, "EXTNAME").value_or("")).find("POWER SPECTRUM") != std::string::npos) return true;
  constexpr std::array<std::string_view, 6> known{"TT", "EE", "BB", "TE", "TB", "EB"};
  return std::ranges::any_of(columns, [&](const FitsColumn& column) {
    return column.repeat == 1 && std::ranges::find(known, spectrum_of_column(column.name)) != known.end();
  });
}

}  // namespace

bool is_hdf5(const std::string& path) { return file_head(path, 8) == std::string("\x89HDF\r\n\x1a\n", 8); }

bool is_fits(const std::string& path) { return file_head(path, 9) == "SIMPLE  ="; }

FileKind hdf5_kind(const std::string& path) {
  const Hdf5Handle file = open_hdf5(path);
  if (hdf5_has_object(file.get(), "map")) return FileKind::kMap;
  if (hdf5_has_object(file.get(), "alm")) return FileKind::kAlm;
  if (hdf5_has_object(file.get(), "cl")) return FileKind::kSpectra;
  if (hdf5_has_object(file.get(), "grid")) return FileKind::kRings;
  if (has_places(hdf5_names(file.get(), path))) return FileKind::kPoints;
  throw core::InputError(
      fmt::format("'{}' has no dataset 'map', 'alm' or 'cl', no datasets 'theta' and 'phi' (points) and no group "
                  "'grid': run h5ls to list its contents",
                  path));
}

FileKind fits_kind(const std::string& path) {
  const FitsFile file = FitsFile::open(path);
  file.move_to_table();
  if (is_map_header(file)) return FileKind::kMap;
  if (const auto table = find_healpix_table(path); table && table->is_weights)
    throw core::InputError(
        fmt::format("'{}' contains HEALPix {} (nside {}): {}", path, table->what, table->nside, table->use));
  const std::vector<FitsColumn> columns = fits_columns(file);
  if (is_alm_table(columns)) return FileKind::kAlm;
  std::vector<std::string> names;
  for (const FitsColumn& column : columns) names.push_back(column.name);
  if (has_places(names)) return FileKind::kPoints;
  if (is_spectra_table(file, columns)) return FileKind::kSpectra;
  if (fits_text(file, "NSIDE")) return FileKind::kMap;
  throw core::InputError(
      fmt::format("'{}' contains no HEALPix map (PIXTYPE, ORDERING), coefficients (columns INDEX, REAL, IMAG), spectra "
                  "(columns TT, EE, ...) or points (columns THETA, PHI): its columns are {}",
                  path, core::excerpt(fmt::format("{}", fmt::join(names, ", ")))));
}

}  // namespace armilla::io

#include <armilla/core/text.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_extensions.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/fits_table.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/gzip.hpp>
#include <armilla/io/hdf5_handle.hpp>
#include <armilla/io/hdf5_table.hpp>
#include <armilla/io/healpix_table.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/text_table.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

// For tables that do not say what they are.
bool primary_says_healpix(const FitsFile& file) {
  return upper(fits_text_or_primary(file, "PIXTYPE").value_or("")) == "HEALPIX" ||
         fits_text_or_primary(file, "ORDERING");
}

bool is_alm_table(const std::vector<FitsColumn>& columns) {
  if (columns.size() < 3 || !columns[0].is_integer()) return false;
  return upper(columns[0].name) == "INDEX" && upper(columns[1].name) == "REAL" && upper(columns[2].name) == "IMAG";
}

// Planck's tables of B_l: columns T, E, B; INT_BEAM, POL_BEAM; NOMINAL, in extensions BEAMWF or BEAMWF_100X100.
bool is_window_table(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  if (fits_text(file, "NSIDE") || fits_text(file, "ORDERING")) return false;
  if (upper(fits_text(file, "EXTNAME").value_or("")).starts_with("BEAMWF")) return true;
  constexpr std::array<std::string_view, 5> known{"T", "E", "B", "INT_BEAM", "POL_BEAM"};
  return !columns.empty() && std::ranges::all_of(columns, [&](const FitsColumn& column) {
    const std::string name = upper(column.name);
    return column.repeat == 1 && (is_degree(name) || std::ranges::find(known, name) != known.end());
  });
}

bool is_spectra_table(const FitsFile& file, const std::vector<FitsColumn>& columns) {
  if (is_window_table(file, columns)) return true;
  if (upper(fits_text(file, "EXTNAME").value_or("")).find("POWER SPECTRUM") != std::string::npos) return true;
  constexpr std::array<std::string_view, 6> known{"TT", "EE", "BB", "TE", "TB", "EB"};
  return std::ranges::any_of(columns, [&](const FitsColumn& column) {
    return column.repeat == 1 && std::ranges::find(known, spectrum_of_column(column.name)) != known.end();
  });
}

}  // namespace

bool is_hdf5(const std::string& path) { return file_head(path, 8) == std::string("\x89HDF\r\n\x1a\n", 8); }

bool is_fits(const std::string& path) {
  constexpr std::string_view kBegin = "SIMPLE  =";
  const std::string head = file_head(path, static_cast<Index>(kBegin.size()));
  return head == kBegin || (is_gzip(path) && gzip_head(path, static_cast<Index>(kBegin.size())) == kBegin);
}

FileKind hdf5_kind(const std::string& path, const std::string& hdu) {
  if (!hdu.empty())
    throw core::InputError(
        fmt::format("'{}' is an HDF5 file, which has no HDU '{}': remove 'hdu'", path, core::excerpt(hdu)));
  const Hdf5Handle file = open_hdf5(path);
  if (hdf5_has_object(file.get(), "map")) return FileKind::kMap;
  if (hdf5_has_object(file.get(), "alm")) return FileKind::kAlm;
  if (hdf5_has_object(file.get(), "cl")) return FileKind::kSpectra;
  if (hdf5_has_object(file.get(), "grid")) return FileKind::kRings;
  const std::vector<std::string> names = hdf5_names(file.get(), path);
  if (has_places(names)) {
    const auto& [first, second] = find_places(path, names, {}, "datasets").at;
    refuse_netcdf(file.get(), names[first], names[second], path);
    return FileKind::kPoints;
  }
  refuse_netcdf_variables(file.get(), path);
  throw core::InputError(
      fmt::format("'{}' has no dataset 'map', 'alm' or 'cl', no datasets 'theta' and 'phi' (points) and no group "
                  "'grid': run h5ls to list its contents",
                  path));
}

int find_spectra_table(const FitsFile& file) {
  std::vector<int> found;
  std::vector<std::string> names;
  for (int hdu = 2; hdu <= file.hdu_count(); ++hdu) {
    int type = 0, status = 0;
    fits_movabs_hdu(file.get(), hdu, &type, &status);
    file.check(status, fmt::format("HDU {} cannot be read: the file is truncated or damaged", hdu - 1));
    if (type == IMAGE_HDU || !is_spectra_table(file, fits_columns(file))) continue;
    found.push_back(hdu);
    names.push_back(fits_text(file, "EXTNAME").value_or(fmt::format("{}", hdu - 1)));
  }
  if (found.empty()) return 0;
  // Planck's instrument models have windows of many detectors.
  if (found.size() > 1 && found.front() > 2)
    throw core::InputError(
        fmt::format("'{}' has windows in the extensions {}: copy one of them to a file of its own, "
                    "for example with fitscopy '{}[{}]' window.fits",
                    file.name(), core::excerpt(join_list(names)), file.name(), names.front()));
  return found.front();
}

FileKind fits_kind(const std::string& path, const std::string& hdu) {
  const FitsFile file = FitsFile::open(path);
  const bool is_map = hdu.empty() ? find_map(file).has_value() : (move_to_hdu(file, hdu), is_map_header(file));
  const std::vector<FitsColumn> columns = fits_columns(file);
  refuse_fits_table(file, columns);
  if (is_map) return FileKind::kMap;
  if (const auto table = find_healpix_table(path); table && table->is_weights)
    throw core::InputError(
        fmt::format("'{}' contains HEALPix {} (nside {}): {}", path, table->what, table->nside, table->use));
  if (is_alm_table(columns)) return FileKind::kAlm;
  std::vector<std::string> names;
  for (const FitsColumn& column : columns) names.push_back(column.name);
  if (has_places(names)) return FileKind::kPoints;
  if (primary_says_healpix(file)) return FileKind::kMap;
  if (is_spectra_table(file, columns)) return FileKind::kSpectra;
  if (fits_text(file, "NSIDE")) return FileKind::kMap;
  if (find_spectra_table(file) > 0) return FileKind::kSpectra;
  throw core::InputError(
      fmt::format("'{}' contains no HEALPix map (PIXTYPE, ORDERING), coefficients (columns INDEX, REAL, IMAG), spectra "
                  "(columns TT, EE, ...) or points (columns THETA, PHI): its columns are {}",
                  path, core::excerpt(fmt::format("{}", fmt::join(names, ", ")))));
}

}  // namespace armilla::io

#include <armilla/core/error.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_alm.hpp>
#include <armilla/io/fits_map.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/hdf5_alm.hpp>
#include <armilla/io/hdf5_map.hpp>
#include <armilla/io/table.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

template <class T>
constexpr FormatFunctions<T> kHdf5Functions{read_hdf5_map<T>, read_hdf5_alm<T>, write_hdf5_map<T>, write_hdf5_alm<T>};

template <class T>
constexpr FormatFunctions<T> kFitsFunctions{read_fits_map<T>, read_fits_alm<T>, write_fits_map<T>, write_fits_alm<T>};

}  // namespace

std::span<const FormatRow> formats() {
  static const std::vector<FormatRow> rows{
      {.format = Format::kHdf5,
       .name = "HDF5",
       .endings = {".h5", ".hdf5"},
       .healpix_only = false,
       .recognises = is_hdf5,
       .kind = hdf5_kind,
       .open_map = open_hdf5_map,
       .open_alm = [](const std::string& path, const std::string&) { return open_hdf5_alm(path); },
       .functions = {kHdf5Functions<float>, kHdf5Functions<double>}},
      {.format = Format::kFits,
       .name = "FITS",
       .endings = {".fits", ".fit"},
       .healpix_only = true,
       .recognises = is_fits,
       .kind = fits_kind,
       .open_map = open_fits_map,
       .open_alm = open_fits_alm,
       .functions = {kFitsFunctions<float>, kFitsFunctions<double>}},
  };
  return rows;
}

const FormatRow& format_row(Format format) {
  for (const FormatRow& row : formats())
    if (row.format == format) return row;
  throw core::InternalError("a file format has no row in the format table");
}

const FormatRow* recognised_format(const std::string& path) {
  for (const FormatRow& row : formats())
    if (row.recognises(path)) return &row;
  return nullptr;
}

std::vector<FormatSummary> format_list() {
  std::vector<FormatSummary> list;
  for (const FormatRow& row : formats())
    list.push_back({std::string(row.name),
                    {row.endings.begin(), row.endings.end()},
                    row.healpix_only ? "HEALPix maps, alm, spectra, values at points"
                                     : "maps on any grid, alm, spectra, values at points, batches of many maps"});
  for (const TableFormatRow& row : table_formats()) {
    if (row.format != TableFormat::kText) continue;
    const FormatSummary text{
        "text",
        {row.endings.begin(), row.endings.end()},
        fmt::format("values at points; {} also for spectra", fmt::join(spectra_text_endings(), " and "))};
    list.push_back(text);
  }
  return list;
}

}  // namespace armilla::io

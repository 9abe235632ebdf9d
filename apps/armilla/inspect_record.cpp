#include "inspect_record.hpp"

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/draw/value_range.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/fits_extensions.hpp>
#include <armilla/io/healpix_table.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/spectra_summary.hpp>
#include <armilla/ops/solvers/accuracy.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include "statistics.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using core::Index;
using Json = nlohmann::ordered_json;

/// Maximum number of values in memory at a time.
constexpr Index kBlock = Index{1} << 22;

const char* format_name(io::Format format) { return format == io::Format::kFits ? "FITS" : "HDF5"; }
const char* format_name(io::TableFormat format) {
  return format == io::TableFormat::kText ? "text" : format == io::TableFormat::kFits ? "FITS" : "HDF5";
}
const char* type_name(core::Precision precision) {
  return precision == core::Precision::kSingle ? "float32" : "float64";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

void add_metadata(Json& record, const io::FieldMetadata& metadata, Index components) {
  record["coordsys"] = text_or_null(metadata.coordsys);
  record["polcconv"] = text_or_null(metadata.polcconv);
  Json& fields = record["fields"] = Json::array();
  for (Index c = 0; c < components; ++c) {
    const auto i = static_cast<std::size_t>(c);
    fields.push_back(
        {{"field", i < metadata.fields.size() ? Json(metadata.fields[i]) : Json()},
         {"unit", i < metadata.units.size() ? text_or_null(metadata.units[i]) : Json()},
         {"spin", io::spin_of(metadata, i) != io::kUnknownSpin ? Json(io::spin_of(metadata, i)) : Json()}});
  }
}

/// Adds "maps": `values` of each map that is present. A file without a batch axis has one map.
template <class Values>
void add_maps(Json& record, io::BatchAxis& batch, Values&& values) {
  const Index maps = std::max<Index>(batch.maps, 1);
  const auto is_there = [&](Index map) {
    return batch.present.empty() || batch.present[static_cast<std::size_t>(map)];
  };
  if (batch.maps == 0) {
    record["batch"] = nullptr;
  } else {
    const Index there = batch.present.empty() ? maps : std::ranges::count(batch.present, true);
    record["batch"] = {{"maps", maps}, {"present", there}};
  }
  Json& list = record["maps"] = Json::array();
  for (Index map = 0; map < maps; ++map) {
    batch.map = map;
    Json& one = list.emplace_back(Json{{"map", map}, {"present", is_there(map)}});
    if (is_there(map)) one["values"] = values();
  }
}

Json statistics_json(const Json& field, const Statistics& statistics, bool with_mean) {
  const auto or_null = [&](double value) { return statistics.empty() ? Json() : Json(value); };
  Json json{{"field", field}, {"min", or_null(statistics.min())}, {"max", or_null(statistics.max())}};
  if (with_mean) json["mean"] = or_null(statistics.mean());
  json["rms"] = or_null(statistics.rms());
  return json;
}

/// Statistics of the good values, and counts of the others. `read` takes the offset of the first value and the output
/// span.
template <class Read>
Json values_json(const Json& field, Index count, Index block_size, Read&& read) {
  Statistics statistics;
  io::BadPixels bad;
  core::AlignedBuffer<double> block(std::min(block_size, count));
  for (Index first = 0; first < count; first += block_size) {
    const auto values = block.span().first(static_cast<std::size_t>(std::min(block_size, count - first)));
    const io::BadPixels found = read(first, values);
    bad.nan += found.nan;
    bad.bad_data += found.bad_data;
    for (const double value : values)
      if (!draw::is_bad(value)) statistics.add(value);
  }
  Json json = statistics_json(field, statistics, true);
  json["good"] = count - bad.total();
  json["not_finite"] = bad.nan;
  json["bad"] = bad.bad_data;
  return json;
}

/// Number of pixels of the full sphere, which may exceed those of the file; 0 if unknown.
Index pixels_of_sphere(const grid::RingGrid& grid) {
  const grid::GridDescription& description = grid.description();
  if (description.kind == "healpix") return 12 * description.nside * description.nside;
  return description.is_whole() && description.kind != "rings" ? grid.npix() : 0;
}

/// The limits of analysis: the largest lmax, the largest accurate one, and the error of quadrature at the former.
void add_limits(Json& record, const grid::RingGrid& grid) {
  for (const char* key : {"analysis_lmax", "quadrature_error", "accurate_lmax", "accuracy"}) record[key] = Json();
  if (!grid.has_weights()) return;
  const Index most = grid.analysis_lmax();
  record["analysis_lmax"] = most;
  record["quadrature_error"] = grid::expected_quadrature_error(grid, most, most);
  record["accuracy"] = grid::accepted_quadrature_error(grid);
  // On HEALPix, the fit of `tolerance` is accurate, while quadrature is not.
  if (grid.description().is_full_healpix())
    record["accurate_lmax"] =
        ops::healpix_accurate_lmax(grid.description().nside, core::Precision::kDouble, grid::kQuadratureAccuracy);
  else if (const Index lmax = grid::accurate_lmax(grid); !grid::exceeds_accurate_limits(grid, lmax, lmax))
    record["accurate_lmax"] = lmax;
}

void add_map(Json& record, const std::string& path, const io::StatedHeader& header) {
  io::MapInfo info = io::open_map(path, io::BatchPolicy::kTake, header);
  const grid::RingGrid& grid = *info.grid;
  const grid::GridDescription& description = grid.description();
  record.update({{"kind", "map"}, {"format", format_name(info.format)}, {"precision", type_name(info.precision)}});
  record["grid"] = {
      {"text", description.text()},      {"kind", description.kind},
      {"whole", description.is_whole()}, {"nside", description.nside > 0 ? Json(description.nside) : Json()},
      {"pixels", grid.npix()},           {"rings", grid.rings().size()}};
  const bool nested = info.ordering == io::Ordering::kNested;
  record["ordering"] = description.is_full_healpix() ? Json(nested ? "NESTED" : "RING") : Json();
  record["indexed_pixels"] = info.explicit_index ? Json(info.rows) : Json();
  record["extensions"] = info.format == io::Format::kFits ? Json(io::fits_extension_names(path)) : Json::array();
  add_limits(record, grid);
  add_metadata(record, info.metadata, info.components);
  const Index sphere = pixels_of_sphere(grid);
  add_maps(record, info.batch, [&] {
    Json components = Json::array();
    for (Index c = 0; c < info.components; ++c) {
      Json json = values_json(record["fields"][static_cast<std::size_t>(c)]["field"], grid.npix(), kBlock,
                              [&](Index first, std::span<double> values) {
                                const dist::PixelRange range{first, static_cast<Index>(values.size())};
                                return io::read_map<double>(info, c, {&range, 1}, values, io::BadDataPolicy::kKeep);
                              });
      json["f_sky"] = sphere > 0 ? Json(json["good"].get<double>() / static_cast<double>(sphere)) : Json();
      components.push_back(json);
    }
    return components;
  });
}

/// Statistics of one component. Reads it in blocks: the parts of a distribution over imaginary ranks.
Json component_json(const io::AlmInfo& info, Index component, const Json& field) {
  const alm::AlmLayout layout(info.lmax, info.mmax);
  const int blocks = static_cast<int>(layout.size() / kBlock) + 1;
  const dist::AlmDistribution shares(layout, blocks);
  Statistics sizes;
  for (int share = 0; share < blocks; ++share) {
    core::AlignedBuffer<std::complex<double>> values(shares.local_size(share));
    io::read_alm<double>(info, component, shares, share, values.span());
    const auto own_m = shares.local_m(share);
    const auto offsets = shares.local_offsets(share);
    for (std::size_t i = 0; i < own_m.size(); ++i)
      for (Index l = own_m[i]; l <= info.lmax; ++l)
        sizes.add(std::abs(values.data()[offsets[i] + l]), own_m[i] == 0 ? 1 : 2);  // m < 0 also counts
  }
  return statistics_json(field, sizes, false);
}

void add_alm(Json& record, const std::string& path) {
  io::AlmInfo info = io::open_alm(path, io::BatchPolicy::kTake);
  record.update({{"kind", "alm"}, {"format", format_name(info.format)}, {"precision", type_name(info.precision)}});
  record["lmax"] = info.lmax;
  record["mmax"] = info.mmax;
  record["coefficients"] = alm::AlmLayout(info.lmax, info.mmax).size();
  record["convention"] = info.convention.text();
  add_metadata(record, info.metadata, info.components);
  add_maps(record, info.batch, [&] {
    Json components = Json::array();
    for (Index c = 0; c < info.components; ++c)
      components.push_back(component_json(info, c, record["fields"][static_cast<std::size_t>(c)]["field"]));
    return components;
  });
}

void add_spectra(Json& record, const std::string& path, const std::vector<std::string>& columns) {
  io::BatchAxis batch = io::spectra_batch(path);
  if (batch.maps > 0 && !columns.empty())
    throw core::InputError(
        fmt::format("--columns does not apply to '{}', which has the spectra of {} maps with their names: remove it",
                    path, batch.maps));
  const auto read = [&] {
    return batch.maps > 0 ? io::read_spectra_of_map(path, batch) : io::read_spectra(path, false, columns);
  };
  record["kind"] = "spectra";
  record["lmax"] = nullptr;
  record["unit"] = nullptr;
  add_maps(record, batch, [&] {
    const alm::SpectraTable table = read();
    record["lmax"] = table.lmax;
    record["unit"] = text_or_null(table.unit);
    Json spectra = Json::array();
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      Statistics statistics;
      for (const double value : table.columns[i]) statistics.add(value);
      spectra.push_back(statistics_json(table.names[i], statistics, false));
    }
    return spectra;
  });
}

void add_rings(Json& record, const std::string& path) {
  const auto grid = io::read_rings(path);
  double sum = 0;
  for (const auto& ring : grid->rings()) sum += ring.weight;
  record.update({{"kind", "rings"}, {"format", "HDF5"}, {"rings", grid->rings().size()}, {"pixels", grid->npix()}});
  record["theta"] = {grid->rings().front().theta, grid->rings().back().theta};
  record["sum_of_weights"] = grid->has_weights() ? Json(sum) : Json();
}

/// Points to read at a time. A text file is parsed once for the positions and once for each component; other files are
/// read in blocks.
Index block_of(const io::PointsInfo& info) {
  return info.format == io::TableFormat::kText ? info.points : std::min(kBlock, info.points);
}

void add_places(Json& record, const io::PointsInfo& info) {
  constexpr double kDegrees = 180 / core::kPi;
  Statistics theta_seen, phi_seen;
  core::AlignedBuffer<double> theta(block_of(info)), phi(block_of(info));
  for (Index first = 0; first < info.points; first += block_of(info)) {
    const auto count = static_cast<std::size_t>(std::min(block_of(info), info.points - first));
    io::read_places(info, first, theta.span().first(count), phi.span().first(count));
    for (const double value : theta.span().first(count)) theta_seen.add(value);
    for (const double value : phi.span().first(count)) phi_seen.add(value);
  }
  record["theta"] = {theta_seen.min(), theta_seen.max()};
  record["phi"] = {phi_seen.min(), phi_seen.max()};
  record["longitude_deg"] = record["latitude_deg"] = record["note"] = nullptr;
  if (info.coordinates == io::PointCoordinates::kThetaPhi) return;
  const double west = phi_seen.min() * kDegrees, east = phi_seen.max() * kDegrees,
               south = 90 - theta_seen.max() * kDegrees, north = 90 - theta_seen.min() * kDegrees;
  record["longitude_deg"] = {west, east};
  record["latitude_deg"] = {south, north};
  if (info.in_degrees && south >= -core::kPi / 2 && north <= core::kPi / 2 && west >= -core::kPi &&
      east <= 2 * core::kPi)
    record["note"] = fmt::format("{} and {} are read as degrees; if they are radians, set their unit (UNITS, TUNIT)",
                                 info.places[0], info.places[1]);
}

void add_points(Json& record, const std::string& path) {
  const io::PointsInfo info = io::open_points(path);
  record.update({{"kind", "points"}, {"format", format_name(info.format)}, {"points", info.points}});
  record["places"] = info.places;
  record["place_unit"] = info.in_degrees ? "degrees" : "radians";
  record["place_precision"] = type_name(info.place_precision);
  add_places(record, info);
  record["precision"] = info.components > 0 ? Json(type_name(info.precision)) : Json();
  add_metadata(record, info.metadata, info.components);
  io::BatchAxis one;
  add_maps(record, one, [&] {
    Json components = Json::array();
    for (Index c = 0; c < info.components; ++c)
      components.push_back(values_json(record["fields"][static_cast<std::size_t>(c)]["field"], info.points,
                                       block_of(info), [&](Index first, std::span<double> values) {
                                         return io::read_values<double>(info, c, first, values,
                                                                        io::BadDataPolicy::kKeep);
                                       }));
    return components;
  });
}

void add_healpix_table(Json& record, const io::HealpixTable& table) {
  record.update({{"kind", "healpix_table"}, {"format", "FITS"}, {"what", table.what}});
  record["nside"] = table.nside > 0 ? Json(table.nside) : Json();
  record["rows"] = table.rows;
  record["columns"] = table.columns;
  record["use"] = table.use;
}

}  // namespace

nlohmann::ordered_json inspect_record(const std::string& path, const std::vector<std::string>& columns,
                                      const io::StatedHeader& header) {
  Json record{{"file", path}};
  const std::shared_ptr<const void> contents = io::inflated_contents(path);
  if (!columns.empty()) {
    add_spectra(record, path, columns);
    return record;
  }
  if (const auto table = header.nside ? std::nullopt : io::find_healpix_table(path)) {
    add_healpix_table(record, *table);
    return record;
  }
  switch (io::file_kind(path)) {
    case io::FileKind::kMap:
      add_map(record, path, header);
      break;
    case io::FileKind::kAlm:
      add_alm(record, path);
      break;
    case io::FileKind::kSpectra:
      add_spectra(record, path, {});
      break;
    case io::FileKind::kRings:
      add_rings(record, path);
      break;
    case io::FileKind::kPoints:
      add_points(record, path);
      break;
  }
  return record;
}

}  // namespace armilla::app

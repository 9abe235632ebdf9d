#include <armilla/core/text.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/io/hdf5_attributes.hpp>
#include <armilla/io/hdf5_grid.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// Ring angles of other programs are often degrees in single precision, with errors up to 7e-8; those of another rule
// differ by far more.
constexpr double kAngleTolerance = 1e-6;

struct RingColumns {
  std::vector<double> theta, phi0, weight;
  std::vector<Index> nphi;
};

RingColumns columns_of(const grid::RingGrid& grid) {
  RingColumns columns;
  for (const grid::Ring& ring : grid.rings()) {
    columns.theta.push_back(ring.theta);
    columns.phi0.push_back(ring.phi0);
    columns.nphi.push_back(ring.nphi);
    columns.weight.push_back(ring.weight);
  }
  return columns;
}

// Reads integers small enough to be exact in double precision.
std::vector<Index> read_counts(hid_t group, const std::string& name, const std::string& path) {
  std::vector<Index> counts;
  for (const double value : read_hdf5_column(group, name, path)) {
    if (!(std::abs(value) <= 0x1p53) || value != std::floor(value))
      throw core::InputError(
          fmt::format("'{}': grid/{}[{}] = {} is not an integer: correct it", path, name, counts.size(), value));
    counts.push_back(static_cast<Index>(value));
  }
  return counts;
}

/// Whether the group lists its rings. A grid whose parameters determine them needs no list.
bool has_columns(hid_t group) {
  return hdf5_has_object(group, "theta") || hdf5_has_object(group, "phi0") || hdf5_has_object(group, "nphi");
}

RingColumns read_columns(hid_t group, const std::string& path) {
  RingColumns columns;
  columns.theta = read_hdf5_column(group, "theta", path);
  columns.phi0 = read_hdf5_column(group, "phi0", path);
  columns.nphi = read_counts(group, "nphi", path);
  if (hdf5_has_object(group, "weight")) columns.weight = read_hdf5_column(group, "weight", path);
  return columns;
}

bool same_rings(const RingColumns& columns, const grid::RingGrid& grid) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= kAngleTolerance; };
  const auto near_longitude = [&](double a, double b) { return near(std::remainder(a - b, 2 * core::kPi), 0); };
  const RingColumns expected = columns_of(grid);
  return columns.nphi == expected.nphi && std::ranges::equal(columns.theta, expected.theta, near) &&
         std::ranges::equal(columns.phi0, expected.phi0, near_longitude);
}

}  // namespace

void write_hdf5_grid(hid_t file, const grid::RingGrid& grid) {
  const Hdf5Handle properties = reproducible_group_properties();
  const Hdf5Handle group(H5Gcreate2(file, "grid", H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Gclose,
                         core::ErrorKind::kResource, "group 'grid' cannot be written: check the disk");
  const grid::GridDescription& description = grid.description();
  write_hdf5_text(group.get(), "kind", description.kind);
  if (!description.rule.empty()) write_hdf5_text(group.get(), "rule", description.rule);
  if (const grid::GridKind* row = grid::find_grid_kind(description.kind, description.rule))
    for (const grid::GridKey& key : row->keys) {
      if (key.whole != nullptr)
        write_hdf5_index(group.get(), key.name, description.*key.whole);
      else
        write_hdf5_number(group.get(), key.name, description.*key.real);
    }
  const auto write_counts = [&](const std::string& name, const std::vector<Index>& values) {
    write_hdf5_column(group.get(), name, H5T_STD_I64LE, H5T_NATIVE_INT64, static_cast<Index>(values.size()),
                      values.data());
  };
  if (!description.is_whole()) write_counts("ring", grid::ring_numbers(grid));
  const RingColumns columns = columns_of(grid);
  const auto write_reals = [&](const std::string& name, const std::vector<double>& values) {
    write_hdf5_column(group.get(), name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, static_cast<Index>(values.size()),
                      values.data());
  };
  write_reals("theta", columns.theta);
  write_reals("phi0", columns.phi0);
  write_counts("nphi", columns.nphi);
  if (grid.has_weights()) write_reals("weight", columns.weight);
}

std::shared_ptr<const grid::RingGrid> read_hdf5_grid(hid_t file, const std::string& path) {
  if (!hdf5_has_object(file, "grid"))
    throw core::InputError(fmt::format("'{}' has no group 'grid' with theta, phi0 and nphi of the rings", path));
  const Hdf5Handle group = open_hdf5_group(file, "grid", path);
  const std::string kind = read_hdf5_text(group.get(), "kind", path);
  const std::string rule = read_hdf5_text(group.get(), "rule", path);
  const grid::GridKind* row = grid::find_grid_kind(kind, rule);
  if (!kind.empty() && kind != "rings" && row == nullptr)
    throw core::InputError(
        fmt::format("'{}': grid kind '{}' is not known: use 'rings' to take the rings as the file lists them", path,
                    core::excerpt(rule.empty() ? kind : kind + " " + rule)));
  const bool is_listed = row == nullptr || has_columns(group.get());
  const RingColumns columns = is_listed ? read_columns(group.get(), path) : RingColumns();
  if (row == nullptr)
    return std::make_shared<const grid::RingGrid>(
        grid::make_rings(columns.theta, columns.phi0, columns.nphi, columns.weight, path));
  grid::GridDescription description{.kind = kind, .rule = rule};
  for (const grid::GridKey& key : row->keys) {
    if (key.whole != nullptr)
      description.*key.whole = read_hdf5_index(group.get(), key.name, path).value_or(0);
    else
      description.*key.real = read_hdf5_number(group.get(), key.name, path).value_or(0.0);
  }
  if (hdf5_has_object(group.get(), "ring")) description.part = grid::ranges_of(read_counts(group.get(), "ring", path));
  const auto named = [&](const auto& call) {
    try {
      return call();
    } catch (const core::InputError& error) {
      throw core::InputError(fmt::format("'{}': group 'grid': {}", path, error.what()));
    }
  };
  const Index rings = named([&] { return grid::ring_count(description); });
  if (is_listed && rings != static_cast<Index>(columns.theta.size()))
    throw core::InputError(
        fmt::format("'{}': group 'grid' lists {} rings, but {} has {}: correct its parameters, or set "
                    "kind to 'rings'",
                    path, columns.theta.size(), description.text(), rings));
  auto grid = named([&] { return std::make_shared<const grid::RingGrid>(grid::make_grid(description)); });
  if (is_listed && !same_rings(columns, *grid)) {
    RingColumns turned = columns;
    std::ranges::reverse(turned.theta);
    if (same_rings(turned, *grid))
      throw core::InputError(
          fmt::format("'{}': the rings of group 'grid' run from south to north, but those of {} from north to south: "
                      "reverse theta and the rows of each component",
                      path, grid->description().text()));
    throw core::InputError(fmt::format(
        "'{}': the rings of group 'grid' differ from those of {}: correct its parameters, or set kind to 'rings'", path,
        grid->description().text()));
  }
  return grid;
}

}  // namespace armilla::io

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/draw/value_range.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/read.hpp>

#include <algorithm>
#include <complex>
#include <memory>

#include "standard_streams.hpp"
#include "statistics.hpp"
#include "verbs.hpp"
#include <fmt/format.h>

namespace armilla::app {

namespace {

using core::Index;

/// Numbers in memory at a time.
constexpr Index kBlock = Index{1} << 22;

const char* format_name(io::Format format) { return format == io::Format::kFits ? "FITS" : "HDF5"; }
const char* precision_name(core::Precision precision) {
  return precision == core::Precision::kSingle ? "float32" : "float64";
}

std::string or_unknown(const std::string& text) { return text.empty() ? "not said" : text; }

std::string at_or_empty(const std::vector<std::string>& texts, Index position) {
  return position < static_cast<Index>(texts.size()) ? texts[static_cast<std::size_t>(position)] : std::string();
}

/// Name and unit of a component: "T [uK]".
std::string component_title(const io::FieldMetadata& metadata, Index component) {
  const std::string unit = at_or_empty(metadata.units, component);
  std::string name = at_or_empty(metadata.fields, component);
  if (name.empty()) name = fmt::format("{}", component);
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

void print_conventions(const io::FieldMetadata& metadata) {
  print("coordinates: {}\npolarisation: {}\n", or_unknown(metadata.coordsys), or_unknown(metadata.polcconv));
}

/// Of a file of many maps: how many, and, chosen for what follows, the first one that is there.
void choose_map(io::BatchAxis& batch) {
  if (batch.maps == 0) return;
  const auto there = std::ranges::find(batch.present, true);
  const auto count = batch.present.empty() ? batch.maps : std::ranges::count(batch.present, true);
  if (count == 0) throw core::InputError(fmt::format("none of its {} maps is there (dataset 'present')", batch.maps));
  if (!batch.present.empty()) batch.map = there - batch.present.begin();
  print("batch axis: {} maps, {} of them there; below is map {}\n", batch.maps, count, batch.map);
}

void inspect_map(const std::string& path) {
  io::MapInfo info = io::open_map(path, io::BatchPolicy::kTake);
  const grid::RingGrid& grid = *info.grid;
  print("map, {}, {}\ngrid: {}, {} pixels on {} rings\n", format_name(info.format), precision_name(info.precision),
        grid.description().text(), grid.npix(), grid.rings().size());
  if (grid.description().is_full_healpix())
    print("ordering: {}{}\n", info.ordering == io::Ordering::kNested ? "NESTED" : "RING",
          info.explicit_index ? fmt::format(", explicit index with {} pixels", info.rows) : "");
  print("largest lmax for analysis: {}\n", grid.has_weights()              ? fmt::format("{}", grid.analysis_lmax())
                                           : grid.description().is_whole() ? "none, the grid has no weights"
                                                                           : "none, it is a part of the sky");
  print_conventions(info.metadata);
  choose_map(info.batch);
  print("{:<14} {:>13} {:>13} {:>13} {:>10} {:>10}\n", "field", "min", "max", "rms", "not finite", "bad");
  core::AlignedBuffer<double> block(std::min(kBlock, grid.npix()));
  for (Index c = 0; c < info.components; ++c) {
    Statistics statistics;
    io::BadPixels bad;
    for (Index first = 0; first < grid.npix(); first += kBlock) {
      const dist::PixelRange range{first, std::min(kBlock, grid.npix() - first)};
      const auto values = block.span().first(static_cast<std::size_t>(range.count));
      const auto found = io::read_map<double>(info, c, {&range, 1}, values, io::BadDataPolicy::kKeep);
      bad.nan += found.nan;
      bad.bad_data += found.bad_data;
      for (const double value : values)
        if (!draw::is_bad(value)) statistics.add(value);
    }
    print("{:<14} {:>13} {:>13} {:>13} {:>10} {:>10}\n", component_title(info.metadata, c),
          statistics.empty() ? "none" : fmt::format("{:.6g}", statistics.min()),
          statistics.empty() ? "none" : fmt::format("{:.6g}", statistics.max()),
          statistics.empty() ? "none" : fmt::format("{:.6g}", statistics.rms()), bad.nan, bad.bad_data);
  }
}

/// Statistics of one component, block by block: the shares of the ranks of a run that does not exist.
void inspect_component(const io::AlmInfo& info, Index component) {
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
        sizes.add(std::abs(values.data()[offsets[i] + l]), own_m[i] == 0 ? 1 : 2);  // m < 0 counts as well
  }
  print("{:<14} {:>13.6g} {:>13.6g} {:>13.6g}\n", component_title(info.metadata, component), sizes.min(), sizes.max(),
        sizes.rms());
}

void inspect_alm(const std::string& path) {
  io::AlmInfo info = io::open_alm(path, io::BatchPolicy::kTake);
  print("alm, {}, {}\nlmax {}, mmax {}, {} coefficients of each field\n", format_name(info.format),
        precision_name(info.precision), info.lmax, info.mmax, alm::AlmLayout(info.lmax, info.mmax).size());
  print("convention: {}; sizes below are orthonormal\n", info.convention.text());
  print_conventions(info.metadata);
  choose_map(info.batch);
  print("{:<14} {:>13} {:>13} {:>13}\n", "field", "min |a_lm|", "max |a_lm|", "rms |a_lm|");
  for (Index c = 0; c < info.components; ++c) inspect_component(info, c);
}

void inspect_spectra(const std::string& path) {
  const alm::SpectraTable table = io::read_spectra(path, false);
  print("spectra as the file holds them, l = 0 .. {}, unit {}\n", table.lmax, or_unknown(table.unit));
  print("{:<14} {:>13} {:>13} {:>13}\n", "spectrum", "min", "max", "rms");
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    Statistics statistics;
    for (const double value : table.columns[i]) statistics.add(value);
    print("{:<14} {:>13.6g} {:>13.6g} {:>13.6g}\n", table.names[i], statistics.min(), statistics.max(),
          statistics.rms());
  }
}

void inspect_rings(const std::string& path) {
  const auto grid = io::read_rings(path);
  print("rings: {} rings, {} pixels, theta {:.6g} .. {:.6g} rad\n", grid->rings().size(), grid->npix(),
        grid->rings().front().theta, grid->rings().back().theta);
  double sum = 0;
  for (const auto& ring : grid->rings()) sum += ring.weight;
  print("quadrature weights: {}\n", grid->has_weights()
                                        ? fmt::format("yes, of sum {:.15g} sr (sphere: {:.15g})", sum, 4 * core::kPi)
                                        : std::string("none"));
}

const char* format_name(io::PointFormat format) {
  return format == io::PointFormat::kText ? "text" : format == io::PointFormat::kFits ? "FITS" : "HDF5";
}

/// Text is read once for all places or one component, other files block by block.
Index block_of(const io::PointsInfo& info) {
  return info.format == io::PointFormat::kText ? info.points : std::min(kBlock, info.points);
}

void inspect_places(const io::PointsInfo& info) {
  constexpr double kDegrees = 180 / core::kPi;
  Statistics theta_seen, phi_seen;
  core::AlignedBuffer<double> theta(block_of(info)), phi(block_of(info));
  for (Index first = 0; first < info.points; first += block_of(info)) {
    const auto count = static_cast<std::size_t>(std::min(block_of(info), info.points - first));
    io::read_places(info, first, theta.span().first(count), phi.span().first(count));
    for (const double value : theta.span().first(count)) theta_seen.add(value);
    for (const double value : phi.span().first(count)) phi_seen.add(value);
  }
  print("theta: {:.6g} .. {:.6g} rad\nphi: {:.6g} .. {:.6g} rad\n", theta_seen.min(), theta_seen.max(), phi_seen.min(),
        phi_seen.max());
  if (info.coordinates == io::PointCoordinates::kThetaPhi) return;
  const double low = 90 - theta_seen.max() * kDegrees, high = 90 - theta_seen.min() * kDegrees;
  print("{}: {:.6g} .. {:.6g} degrees\n{}: {:.6g} .. {:.6g} degrees\n", info.places[0], phi_seen.min() * kDegrees,
        phi_seen.max() * kDegrees, info.places[1], low, high);
  if (info.in_degrees && low >= -core::kPi / 2 && high <= core::kPi / 2 && phi_seen.min() * kDegrees >= -core::kPi &&
      phi_seen.max() * kDegrees <= 2 * core::kPi)
    print("note: {} and {} are taken as degrees; if they are radians, say so by their unit (UNITS, TUNIT)\n",
          info.places[0], info.places[1]);
}

void inspect_points(const std::string& path) {
  const io::PointsInfo info = io::open_points(path);
  print("points, {}, {} points\nplaces: {} and {} in {}, {}\n", format_name(info.format), info.points, info.places[0],
        info.places[1], info.in_degrees ? "degrees" : "radians", precision_name(info.place_precision));
  inspect_places(info);
  print_conventions(info.metadata);
  if (!info.metadata.spins.empty()) print("spins: {}\n", fmt::format("{}", fmt::join(info.metadata.spins, ", ")));
  if (info.components == 0) return print("values: none\n");
  print("values: {}\n{:<14} {:>13} {:>13} {:>13} {:>13} {:>10} {:>10}\n", precision_name(info.precision), "field",
        "min", "max", "rms", "mean", "not finite", "bad");
  core::AlignedBuffer<double> block(block_of(info));
  for (Index c = 0; c < info.components; ++c) {
    Statistics statistics;
    io::BadPixels bad;
    for (Index first = 0; first < info.points; first += block_of(info)) {
      const auto count = static_cast<std::size_t>(std::min(block_of(info), info.points - first));
      const auto values = block.span().first(count);
      const auto found = io::read_values<double>(info, c, first, values, io::BadDataPolicy::kKeep);
      bad.nan += found.nan;
      bad.bad_data += found.bad_data;
      for (const double value : values)
        if (!draw::is_bad(value)) statistics.add(value);
    }
    const auto or_none = [&](double value) { return statistics.empty() ? "none" : fmt::format("{:.6g}", value); };
    print("{:<14} {:>13} {:>13} {:>13} {:>13} {:>10} {:>10}\n", component_title(info.metadata, c),
          or_none(statistics.min()), or_none(statistics.max()), or_none(statistics.rms()), or_none(statistics.mean()),
          bad.nan, bad.bad_data);
  }
}

int inspect(const std::string& path) {
  const io::FileKind kind = io::file_kind(path);
  print("{}\n", path);
  switch (kind) {
    case io::FileKind::kMap:
      inspect_map(path);
      break;
    case io::FileKind::kAlm:
      inspect_alm(path);
      break;
    case io::FileKind::kSpectra:
      inspect_spectra(path);
      break;
    case io::FileKind::kRings:
      inspect_rings(path);
      break;
    case io::FileKind::kPoints:
      inspect_points(path);
      break;
  }
  return core::kExitDone;
}

}  // namespace

void add_inspect(CLI::App& app, Action& chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("inspect", "Say what a file holds");
  verb->add_option("file", *path, "A map, alm, spectra, rings or points: FITS, HDF5 or text")
      ->required()
      ->type_name("FILE");
  verb->footer(
      "Prints grid or lmax, fields, units and conventions, and for each field NaN and bad pixels,\n"
      "minimum, maximum and rms. Reads in blocks, so any file fits; needs no MPI.\n"
      "Example: armilla inspect map.fits");
  verb->callback([path, &chosen] { chosen = [path] { return inspect(*path); }; });
}

}  // namespace armilla::app

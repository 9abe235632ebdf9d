#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_handle.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/pixel_order.hpp>
#include <armilla/io/placed_writer.hpp>
#include <armilla/io/points.hpp>
#include <armilla/io/write.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace armilla::io {

namespace {

constexpr std::array<std::string_view, 2> kTextEndings{".dat", ".txt"};

std::optional<Format> binary_format(const std::string& ending) {
  for (const FormatRow& row : formats())
    if (std::ranges::find(row.endings, ending) != row.endings.end()) return row.format;
  return std::nullopt;
}

std::vector<std::string_view> binary_endings() {
  std::vector<std::string_view> all;
  for (const FormatRow& row : formats()) all.insert(all.end(), row.endings.begin(), row.endings.end());
  return all;
}

void write_bytes(const AtomicFile& file, const std::string& text) {
  PlacedWriter out;
  out.open(file, 1);
  out.write(0, text.data(), static_cast<Index>(text.size()));
  out.finish();
}

// Collective. The metadata of fields of which this rank holds `values`, `own` of each. Without names, the fields get
// default names, also on ranks that hold none. Without spins, they get those that the names define.
FieldMetadata named(const comm::Communicator& comm, std::size_t values, Index own, FieldMetadata metadata,
                    FileKind kind) {
  const auto count = static_cast<Index>(values);
  Index components = own > 0 ? count / own : 0;
  comm.max(std::span<Index>(&components, 1));
  comm::phase(comm, [&] {
    const auto fields = static_cast<Index>(metadata.fields.size());
    if (count != own * components || (fields > 0 && fields != components))
      throw core::InternalError(fmt::format("write: {} values do not make {} components ({} named) of {} each", count,
                                            components, fields, own));
  });
  if (metadata.fields.empty())
    metadata.fields = kind == FileKind::kAlm ? default_alm_fields(components) : default_map_fields(components);
  if (metadata.spins.empty()) set_spins_of_names(metadata, kind);
  return metadata;
}

}  // namespace

template <class T>
std::vector<std::complex<T>> in_convention(const alm::Convention& convention, const dist::AlmDistribution& alm,
                                           int rank, std::span<const std::complex<T>> local) {
  std::vector<std::complex<T>> result(local.begin(), local.end());
  const Index lmax = alm.layout().lmax();
  std::span<std::complex<T>> rest = result;
  while (!rest.empty())
    for (const Index m : alm.local_m(rank)) {
      const auto length = static_cast<std::size_t>(lmax - m + 1);
      alm::to_convention(convention, m, rest.first(length));
      rest = rest.subspan(length);
    }
  return result;
}

alm::SpectraTable in_file_order(const alm::SpectraTable& spectra) {
  alm::SpectraTable result{.lmax = spectra.lmax, .names = {}, .columns = {}, .unit = spectra.unit};
  for (const std::size_t i : healpy_order(spectra.names)) {
    result.names.push_back(spectra.names[i]);
    if (!spectra.columns.empty()) result.columns.push_back(spectra.columns[i]);
  }
  return result;
}

Format format_of_name(const std::string& path) {
  const std::string ending = name_ending(path);
  if (const auto format = binary_format(ending)) return *format;
  const auto& of_text = table_format_row(TableFormat::kText).endings;
  const bool is_text = std::ranges::find(of_text, ending) != of_text.end();
  throw core::InputError(fmt::format("'{}': {}: use {}", path,
                                     is_text ? "text files can contain only spectra and values at points"
                                             : fmt::format("the extension '{}' is not supported", ending),
                                     fmt::join(binary_endings(), ", ")));
}

std::span<const std::string_view> spectra_text_endings() { return kTextEndings; }

std::optional<Format> spectra_format_of_name(const std::string& path) {
  const std::string ending = name_ending(path);
  if (std::ranges::find(kTextEndings, ending) != kTextEndings.end()) return std::nullopt;
  if (const auto format = binary_format(ending)) return *format;
  throw core::InputError(fmt::format("'{}': the extension '{}' is not supported for spectra: use {}, or {} for text",
                                     path, ending, fmt::join(binary_endings(), ", "), fmt::join(kTextEndings, " or ")));
}

void check_output(const std::string& path, FileKind kind, const grid::RingGrid* grid) {
  if (kind == FileKind::kSpectra) {
    spectra_format_of_name(path);
    return;
  }
  if (kind == FileKind::kPoints) {
    point_format_of_name(path);
    return;
  }
  const FormatRow& row = format_row(format_of_name(path));
  if (kind == FileKind::kMap && row.healpix_only && grid != nullptr && grid->description().kind != "healpix")
    throw core::InputError(
        fmt::format("'{}': {} files can contain only HEALPix maps, but this one is on {}: write it as .h5", path,
                    row.name, grid->description().text()));
}

void check_output_place(const core::OutputPath& output) {
  const core::PartialFile trial(output);
  const auto& endings = format_row(Format::kFits).endings;
  if (std::ranges::find(endings, name_ending(output.path)) != endings.end()) check_fits_path(trial.path(), output.path);
}

template <class T>
void write_map(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
               const dist::PixelDistribution& pixels, std::span<const T> local, const WriteOptions& options) {
  const std::string& path = output.path;
  comm::phase(comm, [&] {
    check_output(path, FileKind::kMap, &pixels.grid());
    if (options.ordering == Ordering::kNested && !pixels.grid().description().is_full_healpix())
      throw core::InputError(fmt::format("'{}': only full-sky HEALPix maps can be written in NESTED order", path));
    if (options.ordering == Ordering::kNested && !has_nested_order(pixels.grid().description().nside))
      throw core::InputError(fmt::format("'{}' cannot be NESTED: nside = {} is not a power of two: write RING order",
                                         path, pixels.grid().description().nside));
  });
  const FieldMetadata all = named(comm, local.size(), pixels.local_pixels(comm.rank()), metadata, FileKind::kMap);
  AtomicFile file(comm, output);
  format_row(format_of_name(path)).of<T>().write_map(comm, file, all, pixels, local, options);
  file.commit();
}

template <class T>
void write_alm(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
               const dist::AlmDistribution& alm, std::span<const std::complex<T>> local, const WriteOptions& options) {
  const std::string& path = output.path;
  const bool converts = !(options.convention == alm::Convention());
  std::vector<std::complex<T>> other;
  comm::phase(comm, [&] {
    check_output(path, FileKind::kAlm, nullptr);
    if (converts && format_of_name(path) != Format::kHdf5)
      throw core::InputError(
          fmt::format("'{}' cannot record that its coefficients are {}: write .h5, or omit the convention", path,
                      options.convention.text()));
    if (converts) other = in_convention<T>(options.convention, alm, comm.rank(), local);
  });
  if (converts) local = other;
  const FieldMetadata all = named(comm, local.size(), alm.local_size(comm.rank()), metadata, FileKind::kAlm);
  AtomicFile file(comm, output);
  format_row(format_of_name(path)).of<T>().write_alm(comm, file, all, alm, local, options);
  file.commit();
}

template <class T>
void write_points(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
                  std::span<const double> theta, std::span<const double> phi, std::span<const T> values,
                  const WriteOptions& options) {
  const std::string& path = output.path;
  comm::phase(comm, [&] {
    check_output(path, FileKind::kPoints, nullptr);
    if (theta.size() != phi.size())
      throw core::InternalError(fmt::format("write_points: {} of theta and {} of phi", theta.size(), phi.size()));
  });
  const auto own = static_cast<Index>(theta.size());
  const FieldMetadata all = named(comm, values.size(), own, metadata, FileKind::kPoints);
  std::vector<Index> counts(static_cast<std::size_t>(comm.size()), 0);
  counts[static_cast<std::size_t>(comm.rank())] = own;
  comm.sum(std::span<Index>(counts));
  TableWritten<T> table{.metadata = all,
                        .leading = {{.name = "theta", .unit = "rad"}, {.name = "phi", .unit = "rad"}},
                        .leading_values = {theta, phi},
                        .precision = options.precision,
                        .dataset = "values",
                        .title = "POINTS"};
  for (std::size_t c = 0; c < all.fields.size(); ++c)
    table.values.push_back(values.subspan(c * theta.size(), theta.size()));
  Index first = 0;
  for (const Index count : counts) {
    table.ranges.push_back({first, count});
    first += count;
  }
  if (first == 0) throw core::InputError(fmt::format("'{}' would be an empty catalogue: there are no points", path));
  AtomicFile file(comm, output);
  table_format_row(point_format_of_name(path)).of<T>().write(comm, file, table);
  file.commit();
}

void write_text(const comm::Communicator& comm, const core::OutputPath& output, const std::string& text) {
  AtomicFile file(comm, output);
  comm::phase(comm, [&] {
    if (comm.is_root()) write_bytes(file, text);
  });
  file.commit();
}

ARMILLA_INSTANTIATE(in_convention);
ARMILLA_INSTANTIATE(write_map);
ARMILLA_INSTANTIATE(write_points);
ARMILLA_INSTANTIATE(write_alm);

}  // namespace armilla::io

#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/foreign_files.hpp>
#include <armilla/io/formats.hpp>
#include <armilla/io/gzip.hpp>
#include <armilla/io/hdf5_batch.hpp>
#include <armilla/io/hdf5_grid.hpp>
#include <armilla/io/joined_files.hpp>
#include <armilla/io/point_columns.hpp>
#include <armilla/io/polarisation.hpp>
#include <armilla/io/read.hpp>
#include <armilla/io/text_table.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace armilla::io {

namespace {

// Sufficient to distinguish text from binary.
constexpr Index kHeadBytes = 4096;

const FormatRow& known_format(const std::string& path) {
  if (const FormatRow* row = recognised_format(path)) return *row;
  refuse_foreign(path);
  const std::string head = file_head(path, kHeadBytes);
  if (head.empty()) throw core::InputError(fmt::format("'{}' is empty: its writer may have failed", path));
  if (is_gzip(path))
    throw core::InputError(fmt::format(
        "'{}' is compressed with gzip, which is read only if it contains FITS: run gunzip on it first", path));
  throw core::InputError(fmt::format("'{}' is neither HDF5 nor FITS: use a file in one of these formats", path));
}

const FormatRow& required_format(const std::string& path, const std::string& hdu, FileKind kind, const char* wanted) {
  const FormatRow& row = known_format(path);
  if (row.kind(path, hdu) != kind)
    throw core::InputError(
        fmt::format("'{}' does not contain {}: run armilla inspect to list its contents", path, wanted));
  return row;
}

// The header of a map or of coefficients, read by a function of the format.
template <class Open>
auto opened(const std::string& path, const std::string& hdu, FileKind kind, const char* wanted, const Open& open,
            BatchPolicy policy) {
  const core::FileState seen = core::state_of(path);
  const std::shared_ptr<const void> contents = inflated_contents(path);
  auto info = open(required_format(path, hdu, kind, wanted));
  check_polcconv(path, info.metadata);
  info.seen = seen;
  info.contents = contents;
  core::check_unchanged(path, seen);
  if (info.batch.maps > 1 && policy == BatchPolicy::kRefuse)
    throw core::InputError(fmt::format(
        "'{}' contains {} maps along a batch axis, but a single map is needed here: use the file as an input of a job",
        path, info.batch.maps));
  return info;
}

}  // namespace

FileKind file_kind(const std::string& path) {
  if (const FormatRow* row = recognised_format(path)) return row->kind(path, "");
  refuse_foreign(path);
  if (is_text_file(path)) return has_places(TextReader(path, {}).names()) ? FileKind::kPoints : FileKind::kSpectra;
  return known_format(path).kind(path, "");
}

MapInfo open_map(const std::string& path, BatchPolicy policy, const StatedHeader& stated) {
  const auto open = [&](const FormatRow& row) { return row.open_map(path, stated); };
  return opened(path, stated.hdu, FileKind::kMap, "a map", open, policy);
}

AlmInfo open_alm(const std::string& path, BatchPolicy policy, const std::string& hdu) {
  const auto open = [&](const FormatRow& row) { return row.open_alm(path, hdu); };
  AlmInfo info = opened(path, hdu, FileKind::kAlm, "coefficients", open, policy);
  if (info.metadata.polcconv == "IAU" &&
      !(knows_all_spins(info.metadata) &&
        std::ranges::all_of(info.metadata.spins, [](Index spin) { return spin == 0; })))
    throw core::InputError(
        fmt::format("'{}': coefficients with POLCCONV = IAU are not supported: analyse the IAU map instead (its U is "
                    "converted on read), or write the coefficients in the COSMO convention",
                    path));
  return info;
}

template <class T>
BadPixels read_map(const MapInfo& info, Index component, std::span<const dist::PixelRange> ranges, std::span<T> out,
                   BadDataPolicy policy, Sign sign) {
  check_component(info.path, component, info.components);
  if (!info.parts.empty()) {
    const PartOf<MapInfo> part = part_of(info, component);
    return read_map<T>(part.info, part.component, ranges, out, policy, sign);
  }
  check_present(info.path, info.batch);
  Index wanted = 0;
  for (const dist::PixelRange& range : ranges) wanted += range.count;
  if (wanted != static_cast<Index>(out.size()))
    throw core::InternalError(fmt::format("read_map: {} pixels do not match a buffer of {}", wanted, out.size()));
  core::check_unchanged(info.path, info.seen);
  format_row(info.format).of<T>().read_map(info, component, ranges, out);
  core::check_unchanged(info.path, info.seen);
  const BadPixels bad = clean_values(out, info.bad_value, policy, sign);
  if (policy == BadDataPolicy::kError && bad.total() > 0)
    throw core::InputError(core::ErrorContext{
        .text = fmt::format("'{}': component {}: {} of the {} pixels read here have no value ({} NaN or infinite, {} "
                            "BAD_DATA or absent): fix the map, or set {} to replace them by 0",
                            info.path, field_text(info.metadata, component), bad.total(), wanted, bad.nan, bad.bad_data,
                            core::mention({}, "bad_data", "zero"))});
  return bad;
}

template <class T>
void read_alm(const AlmInfo& info, Index component, const dist::AlmDistribution& target, int rank,
              std::span<std::complex<T>> out) {
  check_component(info.path, component, info.components);
  if (!info.parts.empty()) {
    PartOf<AlmInfo> part = part_of(info, component);
    part.info.convention = info.convention;
    return read_alm<T>(part.info, part.component, target, rank, out);
  }
  check_present(info.path, info.batch);
  const alm::AlmLayout& layout = target.layout();
  if (layout.lmax() > info.lmax || layout.mmax() > info.mmax)
    throw core::InputError(
        fmt::format("'{}' has lmax = {}, mmax = {}, less than the requested lmax = {}, mmax = {}: lower these",
                    info.path, info.lmax, info.mmax, layout.lmax(), layout.mmax()));
  if (target.local_size(rank) != static_cast<Index>(out.size()))
    throw core::InternalError(
        fmt::format("read_alm: {} coefficients do not match a buffer of {}", target.local_size(rank), out.size()));
  core::check_unchanged(info.path, info.seen);
  format_row(info.format).of<T>().read_alm(info, component, target, rank, out);
  core::check_unchanged(info.path, info.seen);
  std::span<std::complex<T>> rest = out;
  for (const Index m : target.local_m(rank)) {
    const auto length = static_cast<std::size_t>(layout.lmax() - m + 1);
    alm::from_convention(info.convention, m, rest.first(length));
    rest = rest.subspan(length);
  }
  Index bad = 0;
  for (const std::complex<T>& value : out) bad += std::isfinite(value.real()) && std::isfinite(value.imag()) ? 0 : 1;
  if (bad > 0)
    throw core::InputError(fmt::format("'{}': component {}: {} coefficients are NaN or infinite: fix the file",
                                       info.path, field_text(info.metadata, component), bad));
}

std::shared_ptr<const grid::RingGrid> read_rings(const std::string& path) {
  if (recognised_format(path) != &format_row(Format::kHdf5))
    throw core::InputError(fmt::format("'{}' is not HDF5: rings are read from an HDF5 file with group 'grid'", path));
  const Hdf5Handle file = open_hdf5(path);
  return read_hdf5_grid(file.get(), path);
}

ARMILLA_INSTANTIATE(read_map);
ARMILLA_INSTANTIATE(read_alm);

}  // namespace armilla::io

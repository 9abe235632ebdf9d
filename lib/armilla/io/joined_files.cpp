#include <armilla/core/error.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/joined_files.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::io {

namespace {

template <class Info>
void check_same(const Info& file, const Info& first, const char* what, const std::string& own,
                const std::string& of_first) {
  if (own != of_first)
    throw core::InputError(
        fmt::format("'{}' has {} {}, but '{}' has {}: the files of a list are components of one field", file.path, what,
                    own, first.path, of_first));
}

// Takes the text of a file, which must be that of the files before it; empty: unspecified.
template <class Info>
void join_text(const Info& file, const Info& first, const char* what, const std::string& own, std::string& joined) {
  if (own.empty()) return;
  if (!joined.empty()) check_same(file, first, what, own, joined);
  joined = own;
}

// Refuses files in IAU together with others that have polarisation in an unspecified convention.
template <class Info>
void check_conventions(const std::vector<Info>& files) {
  const auto iau = std::ranges::find(files, "IAU", [](const Info& file) { return file.metadata.polcconv; });
  if (iau == files.end()) return;
  for (const Info& file : files) {
    bool are_scalars = true;
    for (Index c = 0; c < file.components; ++c)
      are_scalars = are_scalars && spin_of(file.metadata, static_cast<std::size_t>(c)) == 0;
    if (file.metadata.polcconv.empty() && !are_scalars)
      throw core::InputError(core::ErrorContext{
          .text = fmt::format("'{}' has no POLCCONV, but '{}' has POLCCONV = IAU: state that of both with {}, or write "
                              "it into the header",
                              file.path, iau->path, core::mention("", "polcconv", "IAU"))});
  }
}

// The metadata and facts that maps and coefficients have in common.
template <class Info>
Info join(std::vector<Info> files) {
  Info joined = files.front();
  std::vector<std::string> paths;
  joined.components = 0;
  joined.seen = {};
  joined.metadata = {};
  joined.precision = Precision::kSingle;
  std::vector<Index> spins;
  std::vector<PairRole> roles;
  const bool has_columns = std::ranges::all_of(
      files, [](const Info& file) { return file.metadata.columns.size() == file.metadata.fields.size(); });
  for (const Info& file : files) {
    check_same(file, files.front(), "maps on a batch axis:", fmt::format("{}", file.batch.maps),
               fmt::format("{}", files.front().batch.maps));
    const FieldMetadata& own = file.metadata;
    for (std::size_t c = 0; c < static_cast<std::size_t>(file.components); ++c) {
      joined.metadata.fields.push_back(c < own.fields.size() ? own.fields[c] : "");
      joined.metadata.units.push_back(own.unit(c));
      spins.push_back(spin_of(own, c));
      roles.push_back(role_of(own, c));
      if (has_columns) joined.metadata.columns.push_back(own.columns[c]);
    }
    join_text(file, files.front(), "COORDSYS", own.coordsys, joined.metadata.coordsys);
    join_text(file, files.front(), "POLCCONV", own.polcconv, joined.metadata.polcconv);
    if (file.precision == Precision::kDouble) joined.precision = Precision::kDouble;
    joined.components += file.components;
    // Differs if that of any file differs.
    joined.seen.stamp.size = std::max<Index>(joined.seen.stamp.size, 0) + file.seen.stamp.size;
    joined.seen.stamp.mtime ^= file.seen.stamp.mtime + joined.components;
    paths.push_back(file.path);
  }
  set_spins(joined.metadata, std::move(spins), std::move(roles));
  check_conventions(files);
  joined.path = fmt::format("{}", fmt::join(paths, ", "));
  joined.parts = std::move(files);
  return joined;
}

template <class Info>
PartOf<Info> find_part(const Info& info, Index component) {
  for (const Info& part : info.parts) {
    if (component < part.components) {
      PartOf<Info> found{part, component};
      found.info.batch.map = info.batch.map;
      return found;
    }
    component -= part.components;
  }
  throw core::InternalError("a component of a joined file is in none of its files");
}

}  // namespace

std::optional<std::pair<std::string, std::string>> different_grids(const MapInfo& own, const MapInfo& first) {
  const std::string text = own.grid->description().text(), of_first = first.grid->description().text();
  if (text != of_first) return std::pair(text, of_first);
  return own.grid->same_pixels(*first.grid) ? std::nullopt
                                            : std::optional(std::pair(text, std::string("one with different rings")));
}

MapInfo join_maps(std::vector<MapInfo> files) {
  const MapInfo& first = files.front();
  for (const MapInfo& file : files)
    if (const auto grids = different_grids(file, first))
      check_same(file, first, "the grid", grids->first, grids->second);
  return join(std::move(files));
}

AlmInfo join_alm(std::vector<AlmInfo> files) {
  const AlmInfo& first = files.front();
  for (const AlmInfo& file : files) {
    check_same(file, first, "lmax, mmax", fmt::format("{}, {}", file.lmax, file.mmax),
               fmt::format("{}, {}", first.lmax, first.mmax));
    check_same(file, first, "the convention", file.convention.text(), first.convention.text());
  }
  return join(std::move(files));
}

PartOf<MapInfo> part_of(const MapInfo& info, Index component) { return find_part(info, component); }
PartOf<AlmInfo> part_of(const AlmInfo& info, Index component) { return find_part(info, component); }

}  // namespace armilla::io

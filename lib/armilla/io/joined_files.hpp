#pragma once

#include <armilla/io/metadata.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armilla::io {

/// A map whose components are those of several files, in order. `path` lists them. Throws InputError, which names two
/// files, if they differ in their grid, coordinates, sign convention or number of maps.
MapInfo join_maps(std::vector<MapInfo> files);

/// Likewise for coefficients, which must have the same lmax, mmax and convention.
AlmInfo join_alm(std::vector<AlmInfo> files);

/// What a message says of the grids of two maps that are not the same: that of each; std::nullopt for equal grids.
std::optional<std::pair<std::string, std::string>> different_grids(const MapInfo& own, const MapInfo& first);

/// The file of a component, and its index there.
template <class Info>
struct PartOf {
  Info info;
  Index component;
};

/// The file of a component of a joined map or of joined coefficients, with the map of the batch axis of `info`.
PartOf<MapInfo> part_of(const MapInfo& info, Index component);
PartOf<AlmInfo> part_of(const AlmInfo& info, Index component);

}  // namespace armilla::io

#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/transform/field.hpp>

#include <variant>
#include <vector>

namespace armilla::job {

using core::Index;

/// The values of a job in one precision while it runs; empty before they are made and after they are freed.
template <class T>
using Value = std::variant<std::monostate, transform::AlmField<T>, transform::MapField<T>, points::PointField<T>,
                           std::vector<alm::SpectraTable>>;

/// The maps of a campaign that steps work on at once; in all else, one map.
struct Batch {
  Index first = 0;  ///< number of the first map in the campaign
  Index maps = 1;   ///< places in the fields
  Index taken = 1;  ///< places of maps that the run takes: the first ones; the others hold no map
  /// [place] whether its map counts. Others hold numbers of another map: they were left out, or the batch has fewer.
  std::vector<bool> there = {};

  bool is_there(Index place) const { return there.empty() || there[static_cast<std::size_t>(place)]; }
  /// Whether any map is there.
  bool any() const;
};

/// Thrown, and caught where batches are run, when a step has left out the last map of a batch: there is nothing more to
/// do for it.
struct NoMapLeft {};

/// Not collective. Places of `value`, which each map of the batch has its own part of, get the numbers of the first map
/// that is there where theirs is not. One must be there.
template <class T>
void fill_absent(Value<T>& value, const Batch& batch);

extern template void fill_absent<float>(Value<float>&, const Batch&);
extern template void fill_absent<double>(Value<double>&, const Batch&);

}  // namespace armilla::job

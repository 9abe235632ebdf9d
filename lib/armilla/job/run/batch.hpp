#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/points/point_field.hpp>
#include <armilla/transform/field.hpp>

#include <variant>
#include <vector>

namespace armilla::job {

using core::Index;

/// The values of a job in one precision during a run. A value is empty before it is computed and after it is freed.
template <class T>
using Value = std::variant<std::monostate, transform::AlmField<T>, transform::MapField<T>, points::PointField<T>,
                           std::vector<alm::SpectraTable>>;

/// The maps of a campaign that steps process together; outside campaigns, one map.
struct Batch {
  Index first = 0;  ///< index of the first map in the campaign
  Index maps = 1;   ///< number of maps in the fields
  /// Number of maps that the run processes, counted from the first; the remaining entries of the fields hold no map.
  Index taken = 1;
  /// [map of the batch] whether the map is present. Absent maps are replaced by a copy of another map: they were left
  /// out, or the batch is not full.
  std::vector<bool> there = {};

  bool is_there(Index place) const { return there.empty() || there[static_cast<std::size_t>(place)]; }
  /// Whether any map is present.
  bool any() const;
};

/// Thrown when a step has left out the last map of a batch, so that no work remains for the batch. Caught where batches
/// are run.
struct NoMapLeft {};

/// Not collective. `value` is a per-map value. Replaces absent maps by a copy of the first present map. At least one
/// map must be present.
template <class T>
void fill_absent(Value<T>& value, const Batch& batch);

extern template void fill_absent<float>(Value<float>&, const Batch&);
extern template void fill_absent<double>(Value<double>&, const Batch&);

}  // namespace armilla::job

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Why one map of a batch cannot be worked on.
struct MapFault {
  Index place;  ///< in the batch
  std::string reason;
};

/// What a fault lies in: the map, or what weighs its pixels, which may be one for the whole batch.
enum class FaultOf { kMap, kWeights };

/// Maps of a batch that cannot be worked on, while the others can: a batch without them is worth another try. Thrown on
/// all ranks alike; what() tells of the first.
class MapFaults : public core::InputError {
 public:
  /// `faults`: one or more, at most one for each place, of a batch of `maps`.
  MapFaults(std::vector<MapFault> faults, FaultOf of, Index maps);

  const std::vector<MapFault>& faults() const { return faults_; }
  FaultOf of() const { return of_; }

 private:
  std::vector<MapFault> faults_;
  FaultOf of_;
};

}  // namespace armilla::ops

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Why one map of a batch cannot be processed.
struct MapFault {
  Index place;  ///< index in the batch
  std::string reason;
};

/// The source of a fault: the map, or its pixel weights, which may be shared by the whole batch.
enum class FaultOf { kMap, kWeights };

/// Some maps of a batch cannot be processed, but the others can, so the batch can be retried without them. Thrown
/// identically on all ranks; what() describes the first fault.
class MapFaults : public core::InputError {
 public:
  /// `faults`: at least one, and at most one for each map of a batch of `maps`.
  MapFaults(std::vector<MapFault> faults, FaultOf of, Index maps);

  const std::vector<MapFault>& faults() const { return faults_; }
  FaultOf of() const { return of_; }

 private:
  std::vector<MapFault> faults_;
  FaultOf of_;
};

}  // namespace armilla::ops

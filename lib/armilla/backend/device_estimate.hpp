#pragma once

#include <armilla/core/memory_estimate.hpp>

#include <algorithm>
#include <vector>

namespace armilla::backend {

using core::Index;

/// A workspace of variable size, from `least` to `most` bytes.
struct WorkSpace {
  Index least = 0;
  Index most = 0;
  Index bytes(Index given) const { return std::clamp(given, least, std::max(least, most)); }
};

/// Device memory of objects: upper bounds computed without a device. FFTs are assumed to need a workspace as large as
/// their data. Memory used by CUDA itself is not counted.
struct DeviceEstimate {
  core::MemoryEstimate held;    ///< with any workspace; its own workspace is 0
  std::vector<WorkSpace> work;  ///< each gets the same number of bytes

  /// With `work_bytes` for each workspace.
  core::MemoryEstimate with_work(Index work_bytes) const {
    core::MemoryEstimate all = held;
    for (const WorkSpace& space : work) all.workspace += space.bytes(work_bytes);
    return all;
  }
  /// The smallest size sufficient for each workspace.
  Index min_work() const {
    Index least = 0;
    for (const WorkSpace& space : work) least = std::max(least, space.least);
    return least;
  }
  DeviceEstimate& operator+=(const DeviceEstimate& other) {
    held += other.held;
    work.insert(work.end(), other.work.begin(), other.work.end());
    return *this;
  }
};

}  // namespace armilla::backend

#pragma once

#include <armilla/core/memory_estimate.hpp>

#include <algorithm>
#include <vector>

namespace armilla::backend {

using core::Index;

/// Working space that takes what it is given, from `least` on and up to `most` bytes.
struct WorkSpace {
  Index least = 0;
  Index most = 0;
  Index bytes(Index given) const { return std::clamp(given, least, std::max(least, most)); }
};

/// What objects take of the memory of a device: upper bounds by counting, on any machine. FFTs are taken to need as
/// much working space as what they transform. What CUDA itself takes is not counted.
struct DeviceEstimate {
  core::MemoryEstimate held;    ///< in any working space; its own workspace is 0
  std::vector<WorkSpace> work;  ///< each is given the same number of bytes

  /// With `work_bytes` for each working space.
  core::MemoryEstimate with_work(Index work_bytes) const {
    core::MemoryEstimate all = held;
    for (const WorkSpace& space : work) all.workspace += space.bytes(work_bytes);
    return all;
  }
  /// The least bytes with which each working space works at all.
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

#pragma once

#include <armilla/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <kernels/core/device.hpp>

namespace armilla::kernels::detail {

/// Device memory allocated by the process, which CUDA does not report.
class DeviceAccount {
 public:
  /// Throws ResourceError beyond the limit.
  void take(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    const auto more = static_cast<Index>(bytes);
    if (more > limit_ - held_)
      throw core::ResourceError(
          fmt::format("GPU memory allocation of {} bytes: {} of {} are already in use", more, held_, limit_));
    held_ += more;
    peak_ = std::max(peak_, held_);
  }
  void give_back(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    held_ -= static_cast<Index>(bytes);
  }
  DeviceUsage usage() {
    const std::lock_guard guard(lock_);
    return {held_, peak_};
  }
  void forget_peak() {
    const std::lock_guard guard(lock_);
    peak_ = held_;
  }
  void limit(Index bytes) {
    const std::lock_guard guard(lock_);
    limit_ = bytes < 0 ? kNone : bytes;
  }
  /// The part of the free device memory that the limit allows.
  Index within_limit(Index free) {
    const std::lock_guard guard(lock_);
    return std::clamp<Index>(limit_ - held_, 0, free);
  }

 private:
  static constexpr Index kNone = std::numeric_limits<Index>::max();
  std::mutex lock_;
  Index held_ = 0;
  Index peak_ = 0;
  Index limit_ = kNone;
};

/// One per process, like its device.
inline DeviceAccount& device_account() {
  static DeviceAccount account;
  return account;
}

}  // namespace armilla::kernels::detail

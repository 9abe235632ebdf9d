#pragma once

#include <algorithm>
#include <vector>

#include <kernels/core/warp.hpp>

namespace armilla::kernels {

/// One warp of a HostTeam: what its lanes do together, one lane after the other.
template <class Lane>
class HostWarp {
 public:
  HostWarp(Lane* lanes, int index) : lanes_(lanes), index_(index) {}

  /// Number of the warp in its block.
  int index() const { return index_; }
  /// State of a lane, for what all lanes of the warp agree on.
  Lane& any_lane() { return lanes_[0]; }
  /// body(state, lane) for all lanes.
  template <class Body>
  void each(Body&& body) {
    for (int i = 0; i < kWarp; ++i) body(lanes_[i], i);
  }
  /// Whether condition(state, lane) holds for any lane.
  template <class Condition>
  bool any(Condition&& condition) {
    bool any = false;
    for (int i = 0; i < kWarp; ++i) any = condition(lanes_[i], i) || any;
    return any;
  }
  /// Lanes whose numbers differ in `bit` exchange numbers: take(state, lane, give(state, lane) of the other).
  template <class Give, class Take>
  void exchange(int bit, Give&& give, Take&& take) {
    double given[kWarp];
    for (int i = 0; i < kWarp; ++i) given[i] = give(lanes_[i], i);
    for (int i = 0; i < kWarp; ++i) take(lanes_[i], i, given[i ^ bit]);
  }

 private:
  Lane* lanes_;
  int index_;
};

/// A block of threads on the host, with the interface of DeviceTeam: a state of each thread, and the memory that the
/// block shares. What is between two barriers is done thread after thread, or warp after warp, so that a machine
/// without a GPU does the same sums in the same order.
template <class Lane, class Shared>
class HostTeam {
 public:
  explicit HostTeam(int threads) : lanes_(static_cast<std::size_t>(threads)) {}

  int threads() const { return static_cast<int>(lanes_.size()); }
  Shared& shared() { return shared_; }
  /// body(state, thread) for all threads.
  template <class Body>
  void each(Body&& body) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) body(lanes_[i], static_cast<int>(i));
  }
  /// body(warp) for all warps; its control flow is that of the whole warp.
  template <class Body>
  void each_warp(Body&& body) {
    for (int w = 0; w * kWarp < threads(); ++w) {
      HostWarp<Lane> warp(lanes_.data() + w * kWarp, w);
      body(warp);
    }
  }
  /// Copies `count` values of 16 bytes to shared memory, side by side with what follows, until they are waited for.
  template <class Value>
  void start_copy(Value* to, const Value* from, Index count) {
    std::copy_n(from, count, to);
  }
  /// Ends a group of copies.
  void end_copies() {}
  /// Waits for all but the last `kLeft` groups of copies of each thread by itself; a barrier makes them all seen.
  template <int kLeft>
  void wait_for_copies() {}
  void barrier() {}

 private:
  std::vector<Lane> lanes_;
  Shared shared_{};
};

}  // namespace armilla::kernels

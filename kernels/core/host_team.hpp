#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include <kernels/core/host_order.hpp>
#include <kernels/core/poison.hpp>
#include <kernels/core/warp.hpp>

namespace armilla::kernels {

/// One warp of a HostTeam; operations of its lanes are run one lane after the other.
template <class Lane>
class HostWarp {
 public:
  HostWarp(Lane* lanes, int index) : lanes_(lanes), index_(index) {}

  /// Index of the warp in its block.
  int index() const { return index_; }
  /// State of a lane, for values that are equal in all lanes of the warp.
  Lane& any_lane() { return lanes_[0]; }
  /// Calls body(state, lane) for all lanes.
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
  /// Lanes whose indices differ in `bit` exchange values: take(state, lane, give(state, lane) of the other).
  template <class Give, class Take>
  void exchange(int bit, Give&& give, Take&& take) {
    decltype(give(lanes_[0], 0)) given[kWarp];
    for (int i = 0; i < kWarp; ++i) given[i] = give(lanes_[i], i);
    for (int i = 0; i < kWarp; ++i) take(lanes_[i], i, given[i ^ bit]);
  }
  /// C += A B for matrices of 16 by 8, 16 by 4 and 4 by 8, distributed over the lanes as in tensor_tile(): a(state)
  /// points to two values of A, b(state) is one of B, c(state) points to four of C. Products are added one by one in
  /// the order of their index; a device uses its own order, the same for all of C.
  template <class A, class B, class C>
  void multiply_add(A&& a, B&& b, C&& c) {
    double rows[16][4];
    double columns[4][8];
    for (int i = 0; i < kWarp; ++i) {
      for (int half = 0; half < 2; ++half) rows[i / 4 + 8 * half][i % 4] = a(lanes_[i])[half];
      columns[i % 4][i / 4] = b(lanes_[i]);
    }
    for (int i = 0; i < kWarp; ++i)
      for (int n = 0; n < 4; ++n) {
        double& sum = c(lanes_[i])[n];
        for (int k = 0; k < 4; ++k) sum = std::fma(rows[i / 4 + n / 2 * 8][k], columns[k][i % 4 * 2 + n % 2], sum);
      }
  }
  /// Makes earlier writes of lanes to shared memory visible to the whole warp.
  void sync() {}

 private:
  Lane* lanes_;
  int index_;
};

/// A block of threads on the host, with the interface of DeviceTeam: the state of each thread, and the shared memory of
/// the block, both initially filled with NaN. The work between two barriers is done thread by thread, or warp by warp,
/// so that a machine without a GPU computes the same sums in the same order. Results must not depend on the order of
/// threads. Copies are done as late as possible, and their destination is invalid until then.
template <class Lane, class Shared>
class HostTeam {
  static_assert(std::is_trivially_copyable_v<Lane> && std::is_trivially_copyable_v<Shared>);

 public:
  /// `rotation` rotates the warp indices (rotated_warp).
  explicit HostTeam(int threads, HostOrder order = HostOrder::kAscending, int rotation = 0)
      : order_(order), rotation_(rotation), lanes_(static_cast<std::size_t>(threads)) {
    poison(lanes_.data(), lanes_.size() * sizeof(Lane));
    poison(&shared_, sizeof(Shared));
  }

  int threads() const { return static_cast<int>(lanes_.size()); }
  Shared& shared() { return shared_; }
  /// Calls body(state, thread) for all threads.
  template <class Body>
  void each(Body&& body) {
    for_all(order_, threads(), [&](int i) { body(lanes_[static_cast<std::size_t>(i)], i); });
  }
  /// Calls body(warp) for all warps; its control flow is that of the whole warp.
  template <class Body>
  void each_warp(Body&& body) {
    const int warps = threads() / kWarp;
    for_all(order_, warps, [&](int w) {
      HostWarp<Lane> warp(lanes_.data() + w * kWarp, rotated_warp(w, rotation_, warps));
      body(warp);
    });
  }
  /// Copies `count` values of 16 bytes, at most kMost, to shared memory, concurrently with subsequent work, until they
  /// are waited for.
  template <int kMost, class Value>
  void start_copy(Value* to, const Value* from, Index count) {
    static_assert(sizeof(Value) == 16);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Value);
    poison(to, bytes);
    copies_.push_back({to, from, bytes, groups_});
  }
  /// Likewise copies to[i] from source(i), a CopySource, for i = 0 .. kCount - 1. A block has kThreads threads.
  template <int kCount, int kThreads, class Value, class Source>
  void start_gather(Value* to, Source&& source) {
    static_assert(sizeof(Value) == 16);
    for (unsigned i = 0; i < kCount; ++i) {
      const CopySource<Value> copy = source(i);
      poison(to + i, sizeof(Value));
      copies_.push_back({to + i, copy.exists ? copy.from : nullptr, sizeof(Value), groups_});
    }
  }
  /// Ends a group of copies.
  void end_copies() { ++groups_; }
  /// Waits for all but the last `kLeft` groups of copies of each thread; a barrier makes them visible to all threads.
  template <int kLeft>
  void wait_for_copies() {
    const auto done =
        std::partition(copies_.begin(), copies_.end(), [&](const Copy& copy) { return copy.group >= groups_ - kLeft; });
    std::for_each(done, copies_.end(), [](const Copy& copy) {
      if (copy.from == nullptr)
        std::memset(copy.to, 0, copy.bytes);
      else
        std::memcpy(copy.to, copy.from, copy.bytes);
    });
    copies_.erase(done, copies_.end());
  }
  void barrier() {}

 private:
  struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
    int group;
  };
  static void poison(void* memory, std::size_t bytes) { std::memset(memory, kPoisonByte, bytes); }

  HostOrder order_;
  int rotation_;
  std::vector<Lane> lanes_;
  Shared shared_;
  std::vector<Copy> copies_;
  int groups_ = 0;
};

}  // namespace armilla::kernels

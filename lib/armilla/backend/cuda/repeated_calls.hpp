#pragma once

#include <armilla/core/types.hpp>

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include <kernels/core/graph.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::backend {

using core::Index;

/// Largest Delta, in complex values, of a stage whose calls are recorded. Larger stages run for milliseconds, of which
/// their launches are a small part.
inline constexpr Index kMaxRecorded = Index{1} << 24;

/// Calls that launch the same kernels whenever their arrays are the same. The first call with some arrays is executed
/// directly. If the same arrays come again, the call is recorded as a graph, which later calls launch as one unit; this
/// removes most of the time between the kernels of small transforms. Values in the arrays may change between calls.
class RepeatedCalls {
 public:
  /// Identifies a call: its operation and the addresses of all arrays that its caller may move.
  struct Call {
    int operation = 0;
    std::array<const void*, 3> arrays = {};
    bool operator==(const Call&) const = default;
  };

  /// `delta_size`: number of values in Delta; above kMaxRecorded, all calls are executed directly.
  explicit RepeatedCalls(Index delta_size) : records_(delta_size <= kMaxRecorded) {}

  /// Does what work() does, in the order of the stream. Throws ResourceError if CUDA does not record work().
  void run(const Call& call, const kernels::Stream& stream, const std::function<void()>& work);

 private:
  // Graphs kept: two of each of the six operations of a FieldStages.
  static constexpr std::size_t kMost = 12;

  struct Known {
    Call call;
    std::optional<kernels::Graph> graph;  ///< null before the second call
  };

  bool records_;
  std::vector<Known> known_;  ///< the most recent one last
};

}  // namespace armilla::backend

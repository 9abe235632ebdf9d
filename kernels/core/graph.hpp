#pragma once

#include <functional>
#include <memory>

#include <kernels/core/stream.hpp>

struct CUgraphExec_st;

namespace armilla::kernels {

/// Work of streams that was recorded, to be launched again by a single call, with the arguments that it had when it was
/// recorded: kernels, FFTs, copies on the device and the order given by events. Move only. Must not be destroyed before
/// its launches are complete.
class Graph {
 public:
  /// Records what work() puts into the stream, and into other streams that wait for it; the stream must then wait for
  /// these. Nothing of it runs. Throws ResourceError if work() waits for a stream or an event, allocates device memory
  /// or copies between host and device, and what work() throws.
  Graph(const Stream& stream, const std::function<void()>& work);

  /// Runs the work in the order of this stream.
  void launch(const Stream& stream) const;

 private:
  struct Destroy {
    void operator()(CUgraphExec_st* graph) const;
  };
  std::unique_ptr<CUgraphExec_st, Destroy> graph_;
};

}  // namespace armilla::kernels

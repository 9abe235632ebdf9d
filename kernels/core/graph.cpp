#include <kernels/core/check.hpp>
#include <kernels/core/device.hpp>
#include <kernels/core/graph.hpp>

namespace armilla::kernels {

namespace {

struct DestroyGraph {
  void operator()(CUgraph_st* graph) const { cudaGraphDestroy(graph); }
};
using Recorded = std::unique_ptr<CUgraph_st, DestroyGraph>;

}  // namespace

// Calls of other threads are not affected, so that they may allocate memory meanwhile.
Graph::Graph(const Stream& stream, const std::function<void()>& work) {
  set_device(stream.device());
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "recording a graph");
  try {
    work();
  } catch (...) {
    cudaStreamEndCapture(stream.get(), &graph);
    const Recorded unused(graph);
    cudaGetLastError();  // so that it is not attributed to a launch
    throw;
  }
  check(cudaStreamEndCapture(stream.get(), &graph), "recording a graph");
  const Recorded recorded(graph);
  cudaGraphExec_t launchable = nullptr;
  check(cudaGraphInstantiate(&launchable, graph, 0), "preparing a graph");
  graph_.reset(launchable);
}

void Graph::launch(const Stream& stream) const {
  set_device(stream.device());
  check(cudaGraphLaunch(graph_.get(), stream.get()), "launching a graph");
}

void Graph::Destroy::operator()(CUgraphExec_st* graph) const { cudaGraphExecDestroy(graph); }

}  // namespace armilla::kernels

#pragma once

#include <armilla/comm/communicator.hpp>

#include <atomic>
#include <cstddef>
#include <memory>

namespace armilla::comm {

/// Counters in memory that ranks on one node share, so that they may be read and changed without MPI, at any time.
class NodeCounters {
 public:
  /// Collective. `count` zeros for all ranks. Throws ResourceError on all ranks if they do not share memory, for
  /// example on several nodes or in separate containers.
  NodeCounters(const Communicator& comm, std::size_t count);

  std::atomic<Index>& operator[](std::size_t number) const { return counters_[number + 1]; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::atomic<Index>* counters) const;
  };
  std::unique_ptr<std::atomic<Index>[], Unmap> counters_;
};

}  // namespace armilla::comm

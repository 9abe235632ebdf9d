#pragma once

#include <armilla/comm/communicator.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::comm {

/// Threads of a rank, and the CPUs that they may use.
struct ThreadLoad {
  std::string host;
  std::vector<int> cpus;  ///< ascending; empty if unknown
  int threads = 1;
};

/// More threads than CPUs on a node.
struct Oversubscription {
  int ranks = 0;
  int threads = 0;        ///< of these ranks
  std::vector<int> cpus;  ///< that they share
  /// Whether each of these ranks may use all of these CPUs; otherwise they are those of the node.
  bool same_cpus = true;
};

/// Not collective. Looks at ranks that may use the same CPUs, and at all ranks, which are on one node.
std::optional<Oversubscription> find_oversubscription(std::span<const ThreadLoad> ranks);

/// Not collective. Whether OpenMP threads of this process spin while they wait, because none of these limits it:
/// OMP_WAIT_POLICY=passive, or a number as GOMP_SPINCOUNT or KMP_BLOCKTIME (docs/cluster.md).
bool threads_spin();

/// Collective. On the root, a warning if threads of this program spin on a node with more threads than CPUs; otherwise
/// empty.
std::string spinning_warning(const Communicator& comm);

}  // namespace armilla::comm

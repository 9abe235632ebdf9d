#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::comm {

using core::Index;

/// Memory that a job needs on a node, and the memory available there.
struct NodeMemory {
  std::string node;
  int ranks = 1;        ///< number of ranks of the job on that node; 1 if the bound applies to a single process
  Index needed = 0;     ///< total for these ranks [bytes]
  Index available = 0;  ///< [bytes]
  std::string bound;    ///< name of the bound
  bool fits() const { return needed <= available; }
};

/// Collective. The limit set on the root, on all ranks, because launchers do not pass on every environment variable.
std::optional<Index> limit_of_root(const comm::Communicator& world, const std::optional<Index>& limit);

/// Collective. Bytes that each rank may use: its share of the free memory of its node, or of `limit`, in bytes for all
/// ranks of a node. The minimum over all ranks.
Index free_bytes_per_rank(const comm::Communicator& world, const std::optional<Index>& limit);

/// Collective. The node and bound with the least memory relative to the needs of its ranks. A rank needs `peak` bytes,
/// including those its process already holds. `limit`, if set, replaces all bounds of the system (core::memory_bounds)
/// and includes memory already held by the ranks. On the root; empty elsewhere.
NodeMemory tightest_memory(const comm::Communicator& world, Index peak, const std::optional<Index>& limit);

/// "3.2 GiB on node1 (4 ranks); available: 5.6 GiB (free memory of the node)".
std::string memory_text(const NodeMemory& memory);

/// Who asks for memory. The messages differ in what can be changed.
enum class MemoryUser { kProgram, kLibrary };

/// Collective. Throws ResourceError on all ranks if `memory`, as determined on the root, does not fit. `work` names the
/// consumer: a job file, "this benchmark", or an object of the library.
void check_memory(const comm::Communicator& world, const NodeMemory& memory, const std::string& work,
                  MemoryUser user = MemoryUser::kProgram);

}  // namespace armilla::comm

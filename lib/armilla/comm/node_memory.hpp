#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>

#include <optional>
#include <string>

namespace armilla::comm {

using core::Index;

/// What a job takes of the memory of a node, and what there is.
struct NodeMemory {
  std::string node;
  int ranks = 1;        ///< of the job on that node, or 1 if the bound is that of one process
  Index needed = 0;     ///< of all of them [bytes]
  Index available = 0;  ///< [bytes]
  std::string bound;    ///< what sets it
  bool fits() const { return needed <= available; }
};

/// Collective. What the root was told, on all ranks: launchers do not hand every environment variable on.
std::optional<Index> limit_of_root(const comm::Communicator& world, const std::optional<Index>& limit);

/// Collective. What each rank may use: its share of what is free on its node, or of `limit`, bytes for all ranks of a
/// node. By the rank that has least.
Index free_bytes_per_rank(const comm::Communicator& world, const std::optional<Index>& limit);

/// Collective. The node, and its bound, that has least for what ranks need: `peak` bytes, which include what the
/// process of this rank holds already. Where `limit` is given, it stands for all that the system says
/// (core::memory_bounds) and counts what ranks hold already. On the root; elsewhere empty.
NodeMemory tightest_memory(const comm::Communicator& world, Index peak, const std::optional<Index>& limit);

/// "3.2 GiB on node1 (4 ranks), where 5.6 GiB are available (free memory of the node)".
std::string memory_text(const NodeMemory& memory);

/// Collective. Throws ResourceError on all ranks where the memory of the root does not fit. `work` is what takes it: a
/// job file, or "this benchmark".
void check_memory(const comm::Communicator& world, const NodeMemory& memory, const std::string& work);

}  // namespace armilla::comm

#include <armilla/comm/node_memory.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/core/saturating.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace armilla::comm {

namespace {

/// Memory that this rank needs under each bound, as text for the root.
std::string own_needs(Index peak, const std::optional<Index>& limit) {
  const std::string node = core::host_name();
  nlohmann::json needs = nlohmann::json::array();
  if (limit) {
    needs.push_back({node, "the specified memory limit", node, peak, *limit});
    return needs.dump();
  }
  const Index more = std::max<Index>(peak - core::resident_bytes(), 0);
  for (const core::MemoryBound& bound : core::memory_bounds()) {
    // A bound on a single process is not shared.
    const std::string shared_by = bound.shared ? node : fmt::format("{}, process {}", node, ::getpid());
    needs.push_back({node, bound.name, shared_by, more, bound.bytes});
  }
  return needs.dump();
}

/// What the ranks of each node need under each bound, from their own_needs().
std::vector<NodeMemory> sums_of(const std::vector<std::string>& ranks) {
  std::map<std::pair<std::string, std::string>, NodeMemory> sums;
  for (const std::string& text : ranks) {
    for (const auto& need : nlohmann::json::parse(text)) {
      const auto bound = need[1].get<std::string>();
      const auto available = need[4].get<Index>();
      auto [entry, is_new] = sums.try_emplace({need[2].get<std::string>(), bound});
      NodeMemory& sum = entry->second;
      if (is_new) sum = {need[0].get<std::string>(), 0, 0, available, bound};
      ++sum.ranks;
      sum.needed = std::min(sum.needed + need[3].get<Index>(), core::kTooManyBytes);
      sum.available = std::min(sum.available, available);
    }
  }
  std::vector<NodeMemory> all;
  for (auto& [key, sum] : sums) all.push_back(std::move(sum));
  return all;
}

double share_taken(const NodeMemory& memory) {
  return static_cast<double>(memory.needed) / static_cast<double>(std::max<Index>(memory.available, 1));
}

}  // namespace

std::optional<Index> limit_of_root(const comm::Communicator& world, const std::optional<Index>& limit) {
  Index bytes = limit.value_or(-1);
  world.broadcast(&bytes, sizeof(bytes));
  return bytes < 0 ? std::nullopt : std::optional(bytes);
}

Index free_bytes_per_rank(const comm::Communicator& world, const std::optional<Index>& limit) {
  const Index ranks = world.node_rank().ranks;
  Index free = core::kTooManyBytes;
  comm::phase(world, [&] {
    if (limit) {
      free = std::max<Index>(*limit / ranks - core::resident_bytes(), 0);
      return;
    }
    for (const core::MemoryBound& bound : core::memory_bounds())
      free = std::min(free, bound.shared ? bound.bytes / ranks : bound.bytes);
  });
  auto least = static_cast<double>(free);
  world.min({&least, 1});
  return static_cast<Index>(least);
}

NodeMemory tightest_memory(const comm::Communicator& world, Index peak, const std::optional<Index>& limit) {
  std::string mine;
  comm::phase(world, [&] { mine = own_needs(peak, limit); });
  const std::vector<std::string> all = world.gather(mine);
  NodeMemory tightest{"", 0, 0, core::kTooManyBytes, "no limit"};
  comm::phase(world, [&] {
    for (const NodeMemory& sum : sums_of(all))
      if (share_taken(sum) > share_taken(tightest) || tightest.ranks == 0) tightest = sum;
  });
  return tightest;
}

std::string memory_text(const NodeMemory& memory) {
  if (memory.ranks == 0) return "the available memory is unknown";
  const std::string what = fmt::format("{} on {} ({} rank{})", core::readable_bytes(memory.needed), memory.node,
                                       memory.ranks, memory.ranks == 1 ? "" : "s");
  if (memory.available >= core::kTooManyBytes) return what + ", without a limit";
  return fmt::format("{}; available: {} ({})", what, core::readable_bytes(memory.available), memory.bound);
}

void check_memory(const comm::Communicator& world, const NodeMemory& memory, const std::string& work, MemoryUser user) {
  comm::phase(world, [&] {
    if (!world.is_root() || memory.fits()) return;
    const std::string advice =
        user == MemoryUser::kProgram
            ? fmt::format(
                  "use more nodes, ask for more memory, or set {} to single or {} to fewer maps; --memory-limit "
                  "SIZE or ARMILLA_MEMORY_LIMIT",
                  core::mention("execution", "precision"), core::mention("execution", "batch"))
            : "use more nodes, fewer maps at once or single precision; the environment variable ARMILLA_MEMORY_LIMIT, "
              "such as 64G or none,";
    throw core::ResourceError(core::ErrorContext{
        .text = fmt::format("{} needs {}: {} overrides the detected limit with a total for all ranks of a node", work,
                            memory_text(memory), advice)});
  });
}

}  // namespace armilla::comm

#include <armilla/comm/thread_load.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/doctor/rank_facts.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

namespace armilla::doctor {

namespace {

/// Ranks of one node.
using NodeRanks = std::map<std::string, std::vector<const RankFacts*>>;

Finding warning(std::string topic, std::string text) { return {Severity::kWarning, std::move(topic), std::move(text)}; }

/// More threads than CPUs: of ranks that may run on the same CPUs, and of all ranks of the node.
void find_oversubscription(const std::string& host, const std::vector<const RankFacts*>& ranks,
                           std::vector<Finding>& findings) {
  std::vector<comm::ThreadLoad> loads;
  for (const RankFacts* rank : ranks) loads.push_back({host, rank->cpus, rank->threads});
  const auto found = comm::find_oversubscription(loads);
  if (!found) return;
  findings.push_back(warning(
      "binding",
      found->same_cpus
          ? fmt::format(
                "{}: {} rank{} with {} threads share CPUs {}: lower OMP_NUM_THREADS, start fewer ranks, or bind "
                "each rank to more CPUs (docs/cluster.md)",
                host, found->ranks, found->ranks == 1 ? "" : "s", found->threads, core::cpu_list(found->cpus))
          : fmt::format("{}: {} ranks with {} threads share {} CPUs: lower OMP_NUM_THREADS or start fewer ranks", host,
                        found->ranks, found->threads, found->cpus.size())));
}

void find_unbound(const std::string& host, const std::vector<const RankFacts*>& ranks, std::vector<Finding>& findings) {
  if (ranks.size() < 2 || ranks[0]->numa_nodes < 2) return;
  const bool alike = std::ranges::all_of(ranks, [&](const RankFacts* rank) { return rank->cpus == ranks[0]->cpus; });
  if (alike)
    findings.push_back(warning(
        "binding", fmt::format("{}: {} ranks are not bound on a node with {} NUMA domains: bind them (docs/cluster.md)",
                               host, ranks.size(), ranks[0]->numa_nodes)));
}

void find_devices(const NodeRanks& nodes, std::span<const RankFacts> ranks, std::vector<Finding>& findings) {
  const auto has_none = [](const RankFacts& rank) { return rank.device.empty(); };
  for (const RankFacts& rank : ranks) {
    if (rank.no_device.empty()) continue;
    findings.push_back(warning("GPU", fmt::format("rank {} on {}: {}", rank.rank, rank.host, rank.no_device)));
    break;
  }
  if (std::ranges::all_of(ranks, has_none)) return;
  if (const auto without = std::ranges::find_if(ranks, has_none); without != ranks.end())
    findings.push_back(warning(
        "GPU", fmt::format("{} of {} ranks see no GPU (first: rank {} on {}): jobs with backend: auto run on CPUs",
                           std::ranges::count_if(ranks, has_none), ranks.size(), without->rank, without->host)));
  for (const auto& [host, some] : nodes) {
    std::set<std::string> used;
    int visible = 0;
    for (const RankFacts* rank : some) {
      if (!rank->device.empty()) used.insert(rank->device_uuid);
      visible = std::max(visible, rank->visible_devices);
    }
    if (static_cast<int>(used.size()) < visible)
      findings.push_back(warning(
          "GPU", fmt::format("{}: {} GPUs are visible, but only {} are used by {} ranks: start one rank per GPU", host,
                             visible, used.size(), some.size())));
  }
}

template <class Member>
void find_differences(std::span<const RankFacts> ranks, Member member, const std::string& what, Severity severity,
                      std::vector<Finding>& findings) {
  for (const RankFacts& rank : ranks) {
    if (rank.*member == ranks[0].*member) continue;
    findings.push_back({severity, "program",
                        fmt::format("{} differs: '{}' on {} (rank {}), '{}' on {} (rank 0): use the same on all nodes",
                                    what, rank.*member, rank.host, rank.rank, ranks[0].*member, ranks[0].host)});
    return;
  }
}

}  // namespace

std::vector<Finding> rank_findings(std::span<const RankFacts> ranks, int world_size) {
  std::vector<Finding> findings;
  if (ranks.empty()) return findings;
  if (const int launched = ranks[0].launched_ranks; launched > world_size)
    findings.push_back({Severity::kError, "MPI",
                        fmt::format("the launcher started {} ranks, but MPI sees {}: this MPI library does not support "
                                    "the launcher: use the other one (srun --mpi=pmix, or mpirun)",
                                    launched, world_size)});
  NodeRanks nodes;
  for (const RankFacts& rank : ranks) nodes[rank.host].push_back(&rank);
  for (const auto& [host, some] : nodes) {
    find_oversubscription(host, some, findings);
    find_unbound(host, some, findings);
  }
  find_differences(ranks, &RankFacts::program, "the program", Severity::kError, findings);
  find_differences(ranks, &RankFacts::instruction_set, "the instruction set, which affects the last bits of results,",
                   Severity::kWarning, findings);
  find_devices(nodes, ranks, findings);
  return findings;
}

}  // namespace armilla::doctor

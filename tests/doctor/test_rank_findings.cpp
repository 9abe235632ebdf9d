#include <armilla/doctor/rank_facts.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::doctor {
namespace {

/// Ranks of one thread on CPUs of their own, `per_node` on each node.
std::vector<RankFacts> healthy(int ranks, int per_node) {
  std::vector<RankFacts> all(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    RankFacts& facts = all[static_cast<std::size_t>(rank)];
    facts.rank = rank;
    facts.host = "n" + std::to_string(rank / per_node);
    facts.cpus = {2 * (rank % per_node), 2 * (rank % per_node) + 1};
    facts.numa_nodes = 2;
    facts.threads = 2;
    facts.instruction_set = "AVX2";
    facts.program = "a";
    facts.launched_ranks = ranks;
  }
  return all;
}

std::string only_finding(const std::vector<RankFacts>& ranks, Severity severity, int world_size) {
  const auto findings = rank_findings(ranks, world_size);
  EXPECT_EQ(findings.size(), 1u);
  if (findings.size() != 1) return "";
  EXPECT_EQ(findings[0].severity, severity);
  return findings[0].text;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(RankFindings, RanksOnCpusOfTheirOwnAreFine) { EXPECT_TRUE(rank_findings(healthy(6, 3), 6).empty()); }

TEST(RankFindings, MoreThreadsThanCpusAreFoundOnTheirNode) {
  auto ranks = healthy(4, 2);
  ranks[3].threads = 3;
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 4), "n1: 1 rank with 3 threads share CPUs 2-3"));
  ranks = healthy(4, 2);
  ranks[1].cpus = {1, 2};  // partly those of rank 0
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 4), "n0: 2 ranks with 4 threads share 3 CPUs"));
}

TEST(RankFindings, UnboundRanksAreFoundWhereANodeHasSeveralNumaDomains) {
  auto ranks = healthy(2, 2);
  for (auto& rank : ranks) rank.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_TRUE(
      contains(only_finding(ranks, Severity::kWarning, 2), "2 ranks are not bound on a node with 2 NUMA domains"));
  for (auto& rank : ranks) rank.numa_nodes = 1;
  EXPECT_TRUE(rank_findings(ranks, 2).empty());
}

TEST(RankFindings, ALauncherThatMpiDoesNotUnderstandIsAnError) {
  auto ranks = healthy(1, 1);
  ranks[0].launched_ranks = 8;
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kError, 1), "the launcher started 8 ranks, but MPI sees 1"));
  ranks[0].launched_ranks = 0;  // started without one
  EXPECT_TRUE(rank_findings(ranks, 1).empty());
}

TEST(RankFindings, DifferentProgramsAreAnErrorInstructionSetsAWarning) {
  auto ranks = healthy(4, 2);
  ranks[2].program = "b";
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kError, 4), "'b' on n1 (rank 2), 'a' on n0 (rank 0)"));
  ranks = healthy(4, 2);
  ranks[3].instruction_set = "SSE4";
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 4), "'SSE4' on n1 (rank 3), 'AVX2' on n0 (rank 0)"));
}

TEST(RankFindings, DevicesAreForAllRanksAndAllAreUsed) {
  auto ranks = healthy(4, 2);
  for (auto& rank : ranks) {
    rank.visible_devices = 2;
    rank.device = "GPU";
    rank.device_uuid = std::to_string(rank.rank);
  }
  EXPECT_TRUE(rank_findings(ranks, 4).empty());
  ranks[1].device_uuid = "0";  // shares that of rank 0
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 4), "n0: 2 GPUs are visible, but only 1 are used"));
  ranks = healthy(4, 2);
  ranks[0].visible_devices = 1;
  ranks[0].device = "GPU";
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 4), "3 of 4 ranks see no GPU (first: rank 1 on n0)"));
  ranks = healthy(2, 2);
  ranks[1].no_device = "the driver is too old";
  EXPECT_TRUE(contains(only_finding(ranks, Severity::kWarning, 2), "rank 1 on n0: the driver is too old"));
}

}  // namespace
}  // namespace armilla::doctor

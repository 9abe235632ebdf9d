#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <span>
#include <vector>

namespace armilla::doctor {

/// What this rank sees of its node, of its binding and of devices. Not collective, but for the place of the rank on its
/// node, which says which device it takes.
RankFacts own_facts(int rank, const comm::Communicator::NodeRank& place);

/// Collective. The facts of all ranks, on the root; empty elsewhere.
std::vector<RankFacts> gather_facts(const comm::Communicator& world);

/// What is wrong with the ranks of a run: launched apart, more threads than CPUs, unbound ranks on nodes of several
/// NUMA domains, different programs or instruction sets, devices on some ranks only. Not collective.
std::vector<Finding> rank_findings(std::span<const RankFacts> ranks, int world_size);

}  // namespace armilla::doctor

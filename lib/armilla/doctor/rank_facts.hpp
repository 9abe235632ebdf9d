#pragma once

#include <armilla/backend/placement.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/doctor/report.hpp>

#include <span>
#include <vector>

namespace armilla::doctor {

/// Not collective. Facts about the node, binding and devices of this rank, whose own device is at `place`.
RankFacts own_facts(int rank, const backend::Placement& place);

/// Collective. The facts of all ranks, on the root; empty elsewhere.
std::vector<RankFacts> gather_facts(const comm::Communicator& world);

/// Not collective. Problems of the ranks of a run: launched separately, more threads than CPUs, unbound ranks on nodes
/// with several NUMA domains, different programs or instruction sets, devices on some ranks only.
std::vector<Finding> rank_findings(std::span<const RankFacts> ranks, int world_size);

}  // namespace armilla::doctor

#pragma once

#include <armilla/comm/node_memory.hpp>
#include <armilla/job/plan/memory_model.hpp>

#include <string>

namespace armilla::job {

/// For people: what a run is going to do, with grid, lmax, memory per rank and files of each step, and whether
/// the memory of its nodes suffices.
std::string plan_text(const JobPlan& plan, const MemoryForecast& largest, const comm::NodeMemory& memory);

}  // namespace armilla::job

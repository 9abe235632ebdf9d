#pragma once

#include <armilla/job/memory_model.hpp>
#include <armilla/job/node_memory.hpp>

#include <string>

namespace armilla::job {

/// For people: what a run is going to do, with grid, lmax, memory per rank and files of each step, and whether
/// the memory of its nodes suffices.
std::string plan_text(const JobPlan& plan, const MemoryForecast& largest, const NodeMemory& memory);

}  // namespace armilla::job

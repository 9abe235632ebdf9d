#pragma once

#include <armilla/job/memory_model.hpp>

#include <string>

namespace armilla::job {

/// For people: what a run is going to do, with grid, lmax, memory per rank and files of each step.
std::string plan_text(const JobPlan& plan, const MemoryForecast& largest);

}  // namespace armilla::job

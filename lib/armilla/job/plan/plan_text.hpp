#pragma once

#include <armilla/comm/node_memory.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// For people: what a run is going to do, with grid, lmax, memory per rank and files of each step; its memory,
/// exchanges, balance and time; and advice. `memory`: of the tightest node of the machine at hand; nothing if the
/// run is planned for another one.
std::string plan_text(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                      const std::vector<std::string>& advice, const std::optional<comm::NodeMemory>& memory);

/// For programs: forecast_json() with the memory of the tightest node of the machine at hand and the files to be
/// written; `dry_run` is true.
nlohmann::json dry_run_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                            const std::vector<std::string>& advice, const comm::NodeMemory& memory);

}  // namespace armilla::job

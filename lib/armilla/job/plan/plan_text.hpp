#pragma once

#include <armilla/comm/node_memory.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// The plan as text: grid, lmax, memory per rank and files of each step; memory, exchanges, balance and time of the
/// run; and advice. `memory`: of the node of this machine with the least free memory; std::nullopt if the run is
/// planned for another machine.
std::string plan_text(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                      const std::vector<std::string>& advice, const std::optional<comm::NodeMemory>& memory);

/// The plan as JSON: forecast_json() with the memory of the node of this machine with the least free memory, and the
/// files to be written. `dry_run` is true.
nlohmann::json dry_run_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                            const std::vector<std::string>& advice, const comm::NodeMemory& memory);

}  // namespace armilla::job

#pragma once

#include <armilla/cost/prediction.hpp>
#include <armilla/job/plan/job_work.hpp>
#include <armilla/job/plan/memory_model.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// The machine that a run is planned for.
struct RunMachine {
  cost::Occupancy occupancy;         ///< of all ranks of the run
  Index process_bytes = 0;           ///< that a rank holds before the job, libraries included
  std::optional<Index> node_memory;  ///< bytes that the ranks of a node may take; nothing: not known
  int gpus_per_node = 0;
  cost::Rates rates = cost::Rates::built_in();

  int nodes() const { return (occupancy.ranks + occupancy.ranks_per_node - 1) / occupancy.ranks_per_node; }
};

/// What a run is going to need and to take, by arithmetic alone.
struct RunForecast {
  cost::Occupancy occupancy;
  int groups = 1;            ///< of ranks, each with maps of its own
  MemoryForecast memory;     ///< by action, of the rank that needs most
  Index node_bytes = 0;      ///< of the ranks of a node, at most
  JobWork work;              ///< of the ranks of a group
  double batches = 0;        ///< that the busiest group takes
  double delta_bytes = 0;    ///< sent to other ranks by the whole run: Delta of transforms, exact
  double other_bytes = 0;    ///< likewise, values at points and neighbouring rings: estimated
  double pair_bytes = 0;     ///< the most that a rank sends to another in one exchange
  Index largest_buffer = 0;  ///< complex numbers of the largest buffer of an exchange
  cost::Prediction time;     ///< of the busiest group; files in the way of the computation only
  std::vector<std::string> warnings;
  double seconds() const { return time.total(); }
};

/// The forecast of the largest rank at each action: of all ranks up to 64, beyond that of those that hold most of a
/// field or an exchange, and of some others. Not collective.
MemoryForecast largest_memory(const JobPlan& plan, Index process_bytes);

/// Of a plan whose groups, batches and use of devices are chosen; `plan` is that of the largest group. Not collective.
RunForecast forecast_run(const JobPlan& plan, const RunMachine& machine);

/// What another number of ranks, threads or groups would change, one sentence each; `plan` is for all ranks. Plans the
/// job again for each. Not collective.
std::vector<std::string> advise(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast);

/// The sections of exchange, balance, time and advice, for people.
std::string forecast_text(const RunForecast& forecast, const RunMachine& machine,
                          const std::vector<std::string>& advice);

/// The same for other programs: bytes, seconds, operations.
nlohmann::json forecast_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                             const std::vector<std::string>& advice);

}  // namespace armilla::job

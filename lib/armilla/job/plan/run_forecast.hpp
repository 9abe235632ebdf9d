#pragma once

#include <armilla/cost/prediction.hpp>
#include <armilla/job/plan/job_work.hpp>
#include <armilla/job/plan/memory_model.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// Cores of a node, and how their number is known.
struct NodeCores {
  int number;
  std::string source;
  bool is_given;
};

/// The machine for which a run is planned.
struct RunMachine {
  cost::Occupancy occupancy;         ///< of all ranks of the run
  Index process_bytes = 0;           ///< held by a rank before the job, including libraries
  std::optional<Index> node_memory;  ///< bytes available to the ranks of a node; unset: unknown
  int gpus_per_node = 0;
  bool has_ranks_per_node = true;          ///< false if `occupancy` only assumes that all ranks are on one node
  std::optional<int> cores_per_node = {};  ///< unset: from the rates, at least as many as ranks_per_node needs
  cost::Rates rates = cost::Rates::built_in();

  NodeCores cores() const;
  /// Threads on the busiest node.
  Index threads_of_node() const;
  /// Whether a node has a core for each thread.
  bool fits_cores() const { return threads_of_node() <= cores().number; }
  int nodes() const { return (occupancy.ranks + occupancy.ranks_per_node - 1) / occupancy.ranks_per_node; }
};

/// Times of one full batch of a campaign in one group of ranks, while all groups work [s].
struct BatchTime {
  double work = 0;
  double read = 0;
  double write = 0;   ///< of its files, without their creation
  double create = 0;  ///< creation of its files, which keeps no core busy
  double core = 0;    ///< part of the time for files during which they take a core from the work
  double total() const { return read + work + write + create; }
  /// Time that the work on a batch waits for the files of others, if there are several.
  double wait() const;
  /// Time of `batches` batches of `scale` times as many maps: one is computed while others are read and written.
  double seconds(double batches, double scale = 1) const;
};

/// Analytic forecast of the resources and the time of a run.
struct RunForecast {
  cost::Occupancy occupancy;
  int groups = 1;           ///< of ranks, each with its own maps
  MemoryForecast memory;    ///< by action, of the rank with the largest demand
  Index node_bytes = 0;     ///< upper bound for the ranks of a node
  JobWork work;             ///< of the ranks of a group
  double batches = 0;       ///< number of batches of the busiest group
  double full_batches = 0;  ///< maps of all groups over the maps of a batch
  BatchTime batch;
  std::vector<cost::RateUse> rates;  ///< those in use; of files last
  double delta_bytes = 0;            ///< sent to other ranks by the whole run: Delta of transforms, exact
  double other_bytes = 0;            ///< also sent, estimated: values at points, neighbouring rings, whole maps
  double pair_bytes = 0;             ///< maximum that a rank sends to one other rank in one exchange
  Index largest_buffer = 0;          ///< complex values of the largest buffer of an exchange
  cost::Prediction time;             ///< of the busiest group; includes only file access that delays computation
  std::vector<std::string> warnings;
  double seconds() const { return time.total(); }
  /// Share of the time in which ranks wait for files.
  double file_share() const;
};

/// The ranks whose memory is evaluated for the largest demand.
enum class EvaluatedRanks {
  kAll,     ///< up to 64 ranks all of them, beyond that as for kLikely
  kLikely,  ///< those that hold most of a field or an exchange, and some others
};

/// Not collective. The forecast of the rank with the largest demand at each action.
MemoryForecast largest_memory(const JobPlan& plan, Index process_bytes, CountedTransforms& counted,
                              EvaluatedRanks ranks = EvaluatedRanks::kAll);

/// Not collective. The groups, batches and use of devices of the plan must be chosen; `plan` is that of the largest
/// group. `counted`: counts of the transforms of the job, shared by its forecasts.
RunForecast forecast_run(const JobPlan& plan, const RunMachine& machine, CountedTransforms& counted);

/// Not collective. The part of forecast_run() without memory and warnings.
RunForecast forecast_time(const JobPlan& plan, const RunMachine& machine, CountedTransforms& counted);

/// Not collective. The effect of another number of ranks, threads or groups, one sentence each. `plan` is for all
/// ranks. The job is planned again for each alternative; `counted` is that of the forecast.
std::vector<std::string> advise(const JobPlan& plan, const RunMachine& machine, const RunForecast& forecast,
                                CountedTransforms& counted);

/// The sections on exchange, balance, time and advice, human-readable.
std::string forecast_text(const RunForecast& forecast, const RunMachine& machine,
                          const std::vector<std::string>& advice);

/// The forecast as JSON: bytes, seconds, operations.
nlohmann::json forecast_json(const JobPlan& plan, const RunForecast& forecast, const RunMachine& machine,
                             const std::vector<std::string>& advice);

}  // namespace armilla::job

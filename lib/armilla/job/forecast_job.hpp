#pragma once

#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// A run that is planned on a machine which may be another one.
struct ForecastOptions {
  std::vector<std::string> overrides;  ///< as RunOptions::overrides
  std::string output_dir = {};         ///< as RunOptions::output_dir
  int ranks = 1;
  std::optional<int> ranks_per_node = {};     ///< all ranks on one node without
  int gpus_per_node = 0;                      ///< with some, execution.backend = auto means cuda
  std::optional<Index> memory_per_node = {};  ///< bytes
  std::optional<Index> memory_per_gpu = {};   ///< bytes
  std::optional<int> threads = {};            ///< of a rank; else as the job says, else 1
  std::string rates = {};                     ///< a file; empty: those of this machine, or built-in ones
};

/// What such a run needs and takes.
struct JobForecast {
  JobPlan plan;  ///< of the largest group of ranks
  RunMachine machine;
  RunForecast run;
  std::vector<std::string> advice;
  std::string text() const;  ///< one page, for people
  nlohmann::json json() const;
};

/// Plans a job for any number of ranks in this process alone: it calls no MPI function, checks all that run_job()
/// checks before it allocates, but for places of outputs, and looks at headers of inputs only. Not collective. Throws
/// InputError for mistakes in the job, and ResourceError where the job does not fit GPUs whose memory is given.
JobForecast forecast_job(const JobSource& job, const ForecastOptions& options);

}  // namespace armilla::job

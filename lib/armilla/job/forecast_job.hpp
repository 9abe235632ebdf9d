#pragma once

#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/plan/run_forecast.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// Options for a forecast of a run, possibly for another machine.
struct ForecastOptions {
  std::vector<std::string> overrides = {};  ///< as RunOptions::overrides
  std::string output_dir = {};              ///< as RunOptions::output_dir
  int ranks = 1;
  std::optional<int> ranks_per_node = {};     ///< unset: all ranks on one node
  std::optional<int> cores_per_node = {};     ///< unset: RunMachine::cores()
  int gpus_per_node = 0;                      ///< if > 0, execution.backend = auto means cuda
  std::optional<Index> memory_per_node = {};  ///< bytes
  std::optional<Index> memory_per_gpu = {};   ///< bytes
  std::optional<int> threads = {};            ///< per rank; unset: the value of the job, otherwise 1
  std::string rates = {};                     ///< a file; empty: those of this machine, or built-in defaults
  cost::GivenRates given = {};                ///< replace those of the file
};

/// Resources and time of the forecast run.
struct JobForecast {
  JobPlan plan;  ///< of the largest group of ranks
  RunMachine machine;
  RunForecast run;
  std::vector<std::string> advice;
  std::string text() const;  ///< one page, human-readable
  nlohmann::json json() const;
};

/// Not collective. Plans a job for any number of ranks in this process alone, without MPI calls. It performs all checks
/// that run_job() makes before allocation, except those of folders and their free space: a missing folder is a warning.
/// It reads only the headers of inputs. Throws InputError for errors in the job, and ResourceError if the job does not
/// fit GPUs whose memory is given.
JobForecast forecast_job(const JobSource& job, const ForecastOptions& options);

}  // namespace armilla::job

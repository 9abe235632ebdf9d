#pragma once

#include <armilla/job/forecast_job.hpp>

#include <optional>
#include <string>

namespace armilla::app {

/// Throws InputError if the batch scripts that sbatch_line() names cannot be found.
void check_sbatch_scripts();

/// The command that submits a job to Slurm. `time_limit`: of the queue [s]. Warns on standard error if the run, or a
/// batch of a campaign, may not fit the limit, and prints the number of jobs that a campaign needs.
std::string sbatch_line(const std::string& job, const job::ForecastOptions& options, std::optional<double> time_limit,
                        const job::JobForecast& forecast);

}  // namespace armilla::app

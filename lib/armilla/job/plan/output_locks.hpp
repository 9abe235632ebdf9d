#pragma once

#include <armilla/core/file_lock.hpp>
#include <armilla/job/plan/plan.hpp>

#include <set>
#include <string>
#include <vector>

namespace armilla::job {

/// 16 hexadecimal digits that identify the set of output files of a job, `plan.mark`: a job that is submitted twice has
/// one mark, and jobs with other outputs, and parts of a campaign, have others.
std::string outputs_mark(const JobPlan& plan);

/// Files of an output that stand for all in checks of places: the one with the longest path of each folder.
std::vector<std::string> places_of(const JobPlan& plan, std::size_t output);

/// The folders where a job creates files, symbolic links followed. `report_file` may be empty. Throws InputError as
/// core::output_target().
std::set<std::string> output_folders(const JobPlan& plan, const std::string& report_file);

/// Excludes other runs that write the same files, by one core::FileLock `.armilla-<mark>.lock` per output folder, held
/// until destruction, and removes partial files that a killed run of the same job left: at once where that run was on
/// this host, else those that nobody wrote to for an hour. Outputs are complete without it; it saves the work of two
/// runs where one is enough. A job without outputs has no lock.
class OutputLocks {
 public:
  /// Not collective: for the root. Waits up to `patience` seconds in all, then throws InputError, which names the
  /// holder. Warns and continues without a lock where the file system has none.
  OutputLocks(const JobPlan& plan, const std::string& report_file, double patience);

 private:
  std::vector<core::FileLock> locks_;
};

}  // namespace armilla::job

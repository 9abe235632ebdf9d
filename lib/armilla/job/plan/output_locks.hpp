#pragma once

#include <armilla/core/file_lock.hpp>
#include <armilla/job/plan/plan.hpp>

#include <set>
#include <string>
#include <vector>

namespace armilla::job {

/// 16 hexadecimal digits, `plan.mark`, that identify the set of output files of a job. A job submitted twice has the
/// same mark. Jobs with other outputs have other marks, and so do the parts of a campaign.
std::string outputs_mark(const JobPlan& plan);

/// Representative files of an output for checks of locations: the one with the longest path in each folder.
std::vector<std::string> places_of(const JobPlan& plan, std::size_t output);

/// The folders in which a job creates files, with symbolic links resolved. `report_file` may be empty. Throws
/// InputError like core::output_target().
std::set<std::string> output_folders(const JobPlan& plan, const std::string& report_file);

/// Excludes concurrent runs that write the same files, with one core::FileLock `.armilla-<mark>.lock` per output
/// folder, held until destruction. It also removes partial files left by a killed run of the same job. Files of a run
/// on this host are removed at once, others after an hour without writes. Outputs are complete even without the lock;
/// it avoids duplicate work. A job without outputs has no lock.
class OutputLocks {
 public:
  /// Not collective; root only. Waits up to `patience` seconds in total, then throws InputError, which names the
  /// holder. If the file system does not support locks, warns and continues without one.
  OutputLocks(const JobPlan& plan, const std::string& report_file, double patience);

 private:
  std::vector<core::FileLock> locks_;
};

}  // namespace armilla::job

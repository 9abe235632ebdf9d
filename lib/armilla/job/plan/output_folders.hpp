#pragma once

#include <armilla/job/plan/plan.hpp>

#include <filesystem>
#include <vector>

namespace armilla::job {

/// Makes the folders of outputs below JobSpec::output_dir, and that one, where they are missing. What is still empty
/// in the end, because the run was refused or was a dry run, is removed. Not collective.
class OutputFolders {
 public:
  /// Throws ResourceError if a folder cannot be made.
  explicit OutputFolders(const JobPlan& plan);
  ~OutputFolders();
  OutputFolders(const OutputFolders&) = delete;
  OutputFolders& operator=(const OutputFolders&) = delete;

 private:
  void make(const std::filesystem::path& folder);

  std::vector<std::filesystem::path> made_;
};

}  // namespace armilla::job

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/plan/plan.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace armilla::job {

/// Not collective. Creates the missing folders of outputs. Folders that are still
/// empty at the end, because the run was rejected or was a dry run, are removed.
class OutputFolders {
 public:
  /// Throws ResourceError if a folder cannot be created.
  explicit OutputFolders(const JobPlan& plan);
  ~OutputFolders();
  OutputFolders(const OutputFolders&) = delete;
  OutputFolders& operator=(const OutputFolders&) = delete;

 private:
  OutputFolders() = default;  // complete before the folders are made, so that the destructor runs if one cannot be
  /// `about`: the place of the output, for errors.
  void make(const core::ErrorContext& about, const std::filesystem::path& folder);

  std::vector<std::filesystem::path> made_;
};

/// Not collective. A sentence for each output folder that does not exist and that the run creates.
std::vector<std::string> missing_folders(const JobPlan& plan);

}  // namespace armilla::job

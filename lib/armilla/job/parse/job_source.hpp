#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <functional>
#include <string>

namespace armilla::job {

/// Source of the text of a job.
struct JobSource {
  std::string name;                   ///< of the file, for messages; relative paths start from its folder
  std::function<std::string()> text;  ///< called on the root only; throws InputError
  Wording word = job_wording;         ///< of errors and warnings about places in the job

  /// A job file, or standard input for "-". Implicit because a file is the usual source.
  JobSource(const std::string& file);                            // NOLINT(google-explicit-constructor)
  JobSource(const char* file) : JobSource(std::string(file)) {}  // NOLINT(google-explicit-constructor)
  JobSource(std::string what, std::function<std::string()> made) : name(std::move(what)), text(std::move(made)) {}
};

}  // namespace armilla::job

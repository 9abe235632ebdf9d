#pragma once

#include <armilla/job/journal/output_space.hpp>
#include <armilla/job/parse/parse_job.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/run_job.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "error_message.hpp"
#include "job_folder.hpp"
#include <gtest/gtest.h>

namespace armilla::test {

/// A job that is refused, without its line "version: 1", and parts of the message.
struct RefusedJob {
  std::string body;
  std::vector<std::string> parts;
  std::vector<std::string> overrides = {};  ///< as of --set
};

/// The plan of a job in `folder`, after all checks that precede reading. `report`: file of a report.
inline job::JobPlan prepared(const JobFolder& folder, const std::string& body,
                             const std::vector<std::string>& overrides = {}, const std::string& report = "") {
  job::JobPlan plan = job::plan_job(comm::Communicator::self(),
                                    job::parse_job("version: 1\n" + body, folder.path("job.yaml"), overrides));
  job::check_output_names(plan, report);
  job::check_output_places(plan, report);
  job::check_output_space(plan, {});
  return plan;
}

/// Runs a job in `folder` on this process.
inline job::RunOutcome run(const JobFolder& folder, const std::string& body, job::RunOptions options = {}) {
  options.verbosity = job::Verbosity::kQuiet;
  const job::JobSource source(folder.path("job.yaml"), [&] { return "version: 1\n" + body; });
  return job::run_job(comm::Communicator::self(), source, options);
}

/// The error that `work` throws, as the program would report it; a failure of the test if it throws none.
template <class Work>
core::CaughtError error_of(Work&& work) {
  try {
    work();
  } catch (...) {
    return core::describe_current_exception();
  }
  ADD_FAILURE() << "no error";
  return {core::ErrorKind::kInternal, ""};
}

inline void expect_message(const core::CaughtError& error, const std::vector<std::string>& parts,
                           core::ErrorKind kind = core::ErrorKind::kInput) {
  EXPECT_EQ(error.kind, kind) << error.message;
  for (const std::string& part : parts) EXPECT_TRUE(contains(error.message, part));
}

/// Expects that jobs in `folder` are refused before anything is read, with messages that name the job file.
inline void expect_refused(const JobFolder& folder, const std::vector<RefusedJob>& jobs) {
  for (const RefusedJob& one : jobs) {
    SCOPED_TRACE(one.body);
    const core::CaughtError error = error_of([&] { prepared(folder, one.body, one.overrides); });
    expect_message(error, one.parts);
    if (one.overrides.empty()) {
      EXPECT_TRUE(contains(error.message, "job.yaml:"));
    }
  }
}

inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

/// Expects that jobs in `folder` pass all checks, but fail while they read or compute, and leave no file.
inline void expect_failed(const JobFolder& folder, const std::vector<RefusedJob>& jobs) {
  for (const RefusedJob& one : jobs) {
    SCOPED_TRACE(one.body);
    EXPECT_NO_THROW(prepared(folder, one.body, one.overrides));
    const std::vector<std::string> before = names_in(folder.path(""));
    job::RunOptions options;
    options.overrides = one.overrides;
    expect_message(error_of([&] { run(folder, one.body, options); }), one.parts);
    EXPECT_EQ(names_in(folder.path("")), before);
  }
}

/// An analysis of the map sky.h5 in line 5 with these keys, and an output in line 7.
inline std::string analysis(const std::string& keys, const std::string& input = "map: sky.h5") {
  return "inputs:\n  sky: {" + input + "}\nsteps:\n  - analysis: {map: sky, " + keys +
         ", out: a}\noutputs:\n  a: {file: a.h5}\n";
}

/// A synthesis of the coefficients alm.h5 in line 5 on this grid, and an output in line 7.
inline std::string synthesis(const std::string& grid, const std::string& output = "file: m.h5") {
  return "inputs:\n  a: {alm: alm.h5}\nsteps:\n  - synthesis: {alm: a, grid: " + grid + ", out: m}\noutputs:\n  m: {" +
         output + "}\n";
}

}  // namespace armilla::test

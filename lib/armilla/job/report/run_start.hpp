#pragma once

#include <armilla/comm/communicator.hpp>

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// Information available at the start of a run, with which every report begins.
struct RunStart {
  std::string job;                     ///< name of the job file
  std::string contents = {};           ///< contents of the job with all overrides, JSON; empty if it is not YAML
  std::vector<std::string> overrides;  ///< values of --set
  std::string date;                    ///< UTC, ISO 8601
  double seconds = 0;                  ///< core::now_seconds() at the start
  int ranks = 1;
  std::vector<std::string> hosts;  ///< distinct host names of all ranks; on the root
};

/// Collective.
RunStart begin_run(const comm::Communicator& comm, std::string job, std::vector<std::string> overrides);

/// Not collective. Program, versions, build, job, date and hosts.
nlohmann::json start_json(const RunStart& start);

}  // namespace armilla::job

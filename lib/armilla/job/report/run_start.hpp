#pragma once

#include <armilla/comm/communicator.hpp>

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// What is known of a run when it begins, and what every report of it begins with.
struct RunStart {
  std::string job;                     ///< the file
  std::string contents = {};           ///< of the job with all overrides, JSON; empty if it is not YAML
  std::vector<std::string> overrides;  ///< values of --set
  std::string date;                    ///< UTC, ISO 8601
  double seconds = 0;                  ///< core::now_seconds() of the beginning
  int ranks = 1;
  std::vector<std::string> hosts;  ///< names of the hosts of all ranks, each once; on the root
};

/// Collective.
RunStart begin_run(const comm::Communicator& comm, std::string job, std::vector<std::string> overrides);

/// Program, versions, build, job, date and hosts. Not collective.
nlohmann::json start_json(const RunStart& start);

}  // namespace armilla::job

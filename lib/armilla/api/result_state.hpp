#pragma once

#include <armilla/api/job.hpp>
#include <armilla/job/prepared_job.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace armilla::api {

/// What a JobResult holds.
struct ResultState {
  std::shared_ptr<const Communicator> comm;
  job::ExecutedJob executed;
  std::map<std::string, Index> points = {};  ///< of all ranks, by name of the value
  std::map<std::string, InputFacts> facts = {};
  std::map<std::string, job::ValueSort> sorts = {};
  std::vector<std::string> labels = {};  ///< of the maps of a campaign
  std::vector<std::string> warnings = {}, left_out = {};
};

}  // namespace armilla::api

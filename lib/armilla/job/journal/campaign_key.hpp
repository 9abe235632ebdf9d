#pragma once

#include <armilla/core/input_file.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>

#include <nlohmann/json.hpp>

namespace armilla::job {

using core::FileStamp;
using core::stamp_of;

/// Not collective. Covers the steps, the outputs, the method of computation, and the inputs that are not per-map files,
/// by path, size and modification time. The plan must have outputs and a chosen backend.
nlohmann::json what_results_depend_on(const JobPlan& plan);

/// Everything on which the results of all maps of a campaign depend. Ranks, threads, batches, groups and the input
/// pattern are excluded because they do not affect results.
struct CampaignKey {
  nlohmann::json content;  ///< what_results_depend_on()
  std::string digest;      ///< of `content`
  std::string layout;      ///< digest of `content` and the labels of all maps, on which files of all maps depend
};

/// Not collective. The plan must have a chosen backend. Reads size and modification time of the files shared by all
/// maps.
CampaignKey campaign_key(const JobPlan& plan);

/// Not collective. Everything that only the map with index `item` depends on: path, size and modification time [ns] of
/// its files. The index is included if steps use it for random numbers.
nlohmann::json map_inputs(const JobPlan& plan, Index item);

/// Digest of a JSON value, 32 hexadecimal digits.
std::string digest_of(const nlohmann::json& value);

/// Lists at most three differences, with the paths used by --set: "steps.1.analysis.lmax was 100, now 200".
std::string differences(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace armilla::job

#pragma once

#include <armilla/job/plan/plan.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::job {

/// Not collective. Steps, inputs that are no files of single maps of a campaign by path, size and modification time,
/// outputs, and how is computed. Of a plan whose backend is chosen, with outputs.
nlohmann::json what_results_depend_on(const JobPlan& plan);

/// What the results of all maps of a campaign depend on. Ranks, threads, batches, groups and the pattern of the inputs
/// are no part of it, as results do not depend on them.
struct CampaignKey {
  nlohmann::json content;  ///< what_results_depend_on()
  std::string digest;      ///< of it
  std::string layout;      ///< of it and the labels of all maps: what files of all maps depend on
};

/// Not collective. Of a plan whose backend is chosen; looks at size and time of the files that all maps share.
CampaignKey campaign_key(const JobPlan& plan);

/// Not collective. What map number `item` alone depends on: path, size and modification time [ns] of its files, and its
/// number where steps draw random numbers by it.
nlohmann::json map_inputs(const JobPlan& plan, Index item);

/// 32 hexadecimal digits for a JSON value.
std::string digest_of(const nlohmann::json& value);

/// What differs: "steps.1.analysis.lmax was 100, is 200", by the paths that --set takes; at most three.
std::string differences(const nlohmann::json& before, const nlohmann::json& now);

/// Size and modification time of a file; missing where it is not there.
struct FileStamp {
  Index size = -1;
  Index mtime = 0;  ///< [ns] since 1970
  bool is_there() const { return size >= 0; }
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp stamp_of(const std::string& path);

}  // namespace armilla::job

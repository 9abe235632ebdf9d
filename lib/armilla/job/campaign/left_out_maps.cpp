#include <armilla/job/campaign/left_out_maps.hpp>
#include <armilla/job/parse/json_text.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/left_out.hpp>

#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace armilla::job {

std::optional<core::CaughtError> LeftOutMaps::error() const {
  const auto& limit = plan_.spec.execution.bad_map_limit;
  const CampaignPlan& campaign = *plan_.campaign;
  const auto count = static_cast<Index>(items_.size());
  if (!limit || !limit->is_exceeded(count, campaign.maps())) return std::nullopt;
  const auto context = std::make_shared<const core::ErrorContext>(value_error_at(
      limit->place, {}, limit->text,
      fmt::format("exceeded: {} of {} maps were left out, the first of them map {}: {}", count, campaign.maps(),
                  campaign.labels[static_cast<std::size_t>(*items_.begin())],
                  plan_.spec.keep ? "fix them, or raise the limit"
                                  : fmt::format("fix their files (armilla status lists them) or raise the limit, then "
                                                "run {} again",
                                                plan_.spec.execution.same_command()))));
  return core::CaughtError{core::ErrorKind::kInput, core::sentence(*context), context};
}

void check_left_out(const JobPlan& plan, const std::vector<Index>& states) {
  LeftOutMaps maps(plan);
  for (std::size_t item = 0; item < states.size(); ++item)
    if (states[item] == 0) maps.add(LeftOutMaps::letter(static_cast<Index>(item)));
  if (const auto error = maps.error()) core::throw_error(*error);
}

void tell_left_out(const comm::Communicator& world, const RunRecord& record, bool speaks) {
  nlohmann::json mine = nlohmann::json::array();
  if (speaks)
    for (const SkippedMap& map : record.skipped) mine.push_back({map.label, map.text()});
  for (const std::string& all : world.gather(json_text(mine))) {
    if (all.empty()) continue;
    for (const auto& map : nlohmann::json::parse(all))
      tell_left_out(map[0].get<std::string>(), map[1].get<std::string>());
  }
}

}  // namespace armilla::job

#include <armilla/core/error.hpp>
#include <armilla/job/left_out.hpp>

#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::job {

void leave_out(const JobPlan& plan, const Place& place, Index item, SkippedMap found, RunRecord& record) {
  found.label = plan.campaign->labels[static_cast<std::size_t>(item)];
  if (plan.spec.execution.on_bad_map == BadMapPolicy::kStop)
    throw core::InputError(fmt::format(
        "{}: {}: map {} of {} cannot be used: {}. Mend it, or leave such maps out by execution: {{on_bad_map: skip}}",
        place.where, place.path, found.label, plan.campaign->maps(), found.reason));
  spdlog::warn("map {} is left out: {}", found.label, found.text());
  record.skipped.push_back(std::move(found));
}

}  // namespace armilla::job

#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/log.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/left_out.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::job {

void tell_left_out(const std::string& label, const std::string& text) {
  core::log().warn("map {} is left out: {}", label, text);
}

void leave_out(const JobPlan& plan, const Place& place, Index item, SkippedMap found, RunRecord& record) {
  found.label = plan.campaign->labels[static_cast<std::size_t>(item)];
  if (plan.spec.execution.on_bad_map == BadMapPolicy::kStop) {
    record.failed = found;
    complain(place, {},
             fmt::format("map {} cannot be used: {}. Fix it, or set {} to leave out such maps", found.label,
                         found.reason, core::mention("execution", "on_bad_map", "skip")));
  }
  if (record.logs) tell_left_out(found.label, found.text());
  record.skipped.push_back(std::move(found));
}

template <class T>
void leave_out(const comm::Communicator& comm, const JobPlan& plan, const Place& place,
               const std::vector<ops::MapFault>& faults, const std::function<SkippedMap(const ops::MapFault&)>& about,
               std::vector<Value<T>>& values, Batch& batch, RunRecord& record) {
  for (const ops::MapFault& fault : faults) {
    if (!batch.is_there(fault.place)) continue;
    leave_out(plan, place, batch.first + fault.place, about(fault), record);
    batch.there[static_cast<std::size_t>(fault.place)] = false;
  }
  if (!batch.any()) throw NoMapLeft();
  comm::phase(comm, [&] {
    const core::ScopedPhase timer(record.timers, "leave out");
    for (std::size_t value = 0; value < values.size(); ++value)
      if (plan.values[value].per_item) fill_absent(values[value], batch);
  });
}

ARMILLA_INSTANTIATE(leave_out);

}  // namespace armilla::job

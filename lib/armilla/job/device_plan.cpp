#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/device_plan.hpp>
#include <armilla/job/machine.hpp>
#include <armilla/job/memory_model.hpp>
#include <armilla/job/operation.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// Working space that a device gives where nobody knows how much it has.
constexpr Index kLargeWork = Index{2} << 30;

class Forecaster {
 public:
  Forecaster(const JobPlan& plan, int rank, const DeviceDemands& demands, Index work_bytes)
      : plan_(plan), rank_(rank), demands_(demands), work_(work_bytes), there_(plan.values.size(), false) {}

  // What the batch before has made may not be written yet.
  void begin_batch() {
    for (std::size_t value = 0; value < plan_.values.size(); ++value)
      if (is_written_behind(value)) held_.fields += bytes(value);
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (plan_.steps[i].per_item && plan_.steps[i].transform && keeper_of(plan_, i) == i)
        held_.fields += plan_.spec.steps[i].operation->kept_bytes(plan_, plan_.steps[i], rank_);
    in_batch_ = true;
  }

  DeviceBytes run(const Action& action) {
    switch (action.kind) {
      case ActionKind::kBuildTransform:
        add(action.index, 1);
        break;
      case ActionKind::kDropTransform:
        add(action.index, -1);
        break;
      case ActionKind::kStep:
        return step(action.index);
      case ActionKind::kFree:
        if (there_[action.index] && !(in_batch_ && is_written_behind(action.index)))
          held_.fields -= bytes(action.index);
        there_[action.index] = false;
        break;
      case ActionKind::kRead:
      case ActionKind::kWrite:
        break;
    }
    return held_;
  }

 private:
  Index bytes(std::size_t value) const {
    const ValueInfo& info = plan_.values[value];
    const Index maps = info.per_item && plan_.campaign ? plan_.campaign->batch : 1;
    return maps * field_bytes(info, plan_.spec.execution.precision, rank_);
  }
  bool is_written_behind(std::size_t value) const { return plan_.values[value].per_item && is_output(plan_, value); }

  void add(std::size_t step, Index sign) {
    const transform::DeviceDemand& demand = demands_.of_step(step);
    held_.delta += sign * demand.arrays();
    held_.tables += sign * demand.tables();
    held_.work += sign * demand.work(work_);
  }

  void bring(std::size_t value) {
    if (there_[value]) return;
    there_[value] = true;
    if (!(in_batch_ && is_written_behind(value))) held_.fields += bytes(value);
  }

  DeviceBytes step(std::size_t index) {
    const PlannedStep& planned = plan_.steps[index];
    const bool in_place = is_in_place(plan_, index);
    if (in_place && there_[planned.operands.front()]) {
      there_[planned.operands.front()] = false;  // the result is the same field
      there_[planned.results.front()] = true;
    }
    if (!planned.transform) return held_;
    for (const std::size_t value : planned.operands) bring(value);
    for (const std::size_t value : planned.results) bring(value);
    DeviceBytes peak = held_;
    peak.fields +=
        plan_.spec.steps[index].operation->extra_bytes(plan_, planned, plan_.spec.execution.precision, rank_);
    return peak;
  }

  const JobPlan& plan_;
  int rank_;
  const DeviceDemands& demands_;
  Index work_;
  DeviceBytes held_;
  std::vector<bool> there_;  // [value] on the device
  bool in_batch_ = false;
};

Index peak_bytes(const JobPlan& plan, int rank, const DeviceDemands& demands, Index work) {
  return peak_of(forecast_device(plan, rank, demands, work)).total();
}

}  // namespace

DeviceDemands::DeviceDemands(const JobPlan& plan, int rank) : of_step_(plan.steps.size()) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!plan.steps[i].transform) continue;
    const transform::FieldTransformSpec& spec = *plan.steps[i].transform;
    for (std::size_t before = 0; before < i && !of_step_[i]; ++before)
      if (of_step_[before] && same_transform(*plan.steps[before].transform, spec)) of_step_[i] = of_step_[before];
    if (of_step_[i]) continue;
    of_step_[i] = std::make_shared<const transform::DeviceDemand>(
        plan.spec.execution.precision == core::Precision::kSingle ? transform::device_demand<float>(spec, rank)
                                                                  : transform::device_demand<double>(spec, rank));
    all_.push_back(of_step_[i]);
  }
}

Index DeviceDemands::min_work() const {
  Index least = 0;
  for (const auto& demand : all_) least = std::max(least, demand->min_work());
  return least;
}

std::vector<DeviceBytes> forecast_device(const JobPlan& plan, int rank, const DeviceDemands& demands,
                                         Index work_bytes) {
  Forecaster forecaster(plan, rank, demands, work_bytes);
  std::vector<DeviceBytes> bytes;
  for (const Action& action : plan.schedule) bytes.push_back(forecaster.run(action));
  if (!plan.campaign) return bytes;
  forecaster.begin_batch();
  for (const Action& action : plan.campaign->schedule) bytes.push_back(forecaster.run(action));
  return bytes;
}

DeviceBytes peak_of(const std::vector<DeviceBytes>& actions) {
  DeviceBytes peak;
  for (const DeviceBytes& bytes : actions)
    if (bytes.total() > peak.total()) peak = bytes;
  return peak;
}

bool fits_device(const JobPlan& plan, int rank, Index room) {
  if (room == backend::kNoDevice) return true;
  const DeviceDemands demands(plan, rank);
  return !demands.any() || peak_bytes(plan, rank, demands, demands.min_work()) <= room;
}

Index device_room(const comm::Communicator& world, const JobPlan& plan) {
  const std::string& name = plan.spec.execution.backend;
  const auto place = world.node_place();
  Index room = backend::kNoDevice;
  comm::phase(world, [&] {
    if (backend::has_device(name) && backend::why_unusable(name).empty())
      room = backend::device_room(name, {place.rank, place.ranks});
  });
  auto least = static_cast<double>(room);
  world.min({&least, 1});
  return static_cast<Index>(least);
}

void choose_device_work(const comm::Communicator& world, JobPlan& plan, int rank) {
  const Index room = device_room(world, plan);
  if (!backend::has_device(plan.spec.execution.backend)) return;
  const DeviceDemands demands(plan, rank);
  if (!demands.any()) return;
  Index needed = peak_bytes(plan, rank, demands, demands.min_work());
  world.max({&needed, 1});
  Index work = kLargeWork;
  if (room != backend::kNoDevice) {
    comm::phase(world, [&] {
      const auto found = backend::choose_work(room, demands.min_work(),
                                              [&](Index bytes) { return peak_bytes(plan, rank, demands, bytes); });
      if (!found)
        throw core::ResourceError(fmt::format(
            "{}: the transforms need {} of the memory of a GPU on each rank, which may take {}: use more ranks and "
            "GPUs, let fewer ranks share a GPU, lower execution.batch, or set execution.precision to single or "
            "execution.backend to cpu",
            plan.spec.file, readable_bytes(needed), readable_bytes(room)));
      work = *found;
    });
    auto agreed = static_cast<double>(work);
    world.min({&agreed, 1});
    work = std::max(static_cast<Index>(agreed), demands.min_work());
  }
  for (PlannedStep& step : plan.steps)
    if (step.transform) step.transform->device_work = work;
  plan.device = DevicePlan{work, room, needed};
}

}  // namespace armilla::job

#include <armilla/backend/context.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/job/plan/device_plan.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/transform/device_work.hpp>

#include <fmt/format.h>

namespace armilla::job {

namespace {

// Assumed workspace of a device of unknown memory.
constexpr Index kLargeWork = Index{2} << 30;

}  // namespace

void choose_device_work(const comm::Communicator& world, JobPlan& plan, int rank) {
  std::optional<MemoryModel> model;
  comm::phase(world, [&] { model.emplace(plan, rank); });
  if (!model->has_device()) return;
  const Index room = transform::device_room(world, plan.spec.execution.backend);
  const auto total = [&](Index work) { return model->forecast(0, work).device_peak().total(); };
  const Index min_work = model->min_work();
  Index needed = total(min_work);
  world.max({&needed, 1});
  Index work = kLargeWork;
  if (room != backend::kNoDevice)
    work = transform::choose_device_work(world, room, min_work, total, [&] {
      return core::ErrorContext{
          .where = plan.spec.file,
          .text = fmt::format("the job needs {} of GPU memory per rank, but only {} is available to each rank: use "
                              "more ranks and GPUs, fewer ranks per GPU, a smaller {}, {}, or {}",
                              core::readable_bytes(needed), core::readable_bytes(room),
                              core::mention("execution", "batch"), core::mention("execution", "precision", "single"),
                              core::mention("execution", "backend", "cpu"))};
    });
  for (PlannedStep& step : plan.steps)
    if (step.transform) step.transform->device_work = work;
  plan.device = DevicePlan{work, room, needed};
}

}  // namespace armilla::job

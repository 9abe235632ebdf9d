#include <armilla/comm/phase.hpp>
#include <armilla/job/journal/solver_checkpoint.hpp>
#include <armilla/job/run/plan_runner.hpp>
#include <armilla/job/run/runner.hpp>

#include <memory>
#include <optional>

namespace armilla::job {

namespace {

template <class T>
void run_schedule(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                  Progress& progress, RunRecord& record) {
  std::optional<PlanRunner<T>> runner;
  comm::phase(comm, [&] { runner.emplace(comm, plan, cache, progress, record); });
  if (has_checkpoints(plan))
    runner->make_checkpoint = [&](std::size_t step) {
      return std::make_unique<SolverCheckpoint<T>>(comm, plan, step, record.timers, [&, step](Index iterations) {
        record.resumed.push_back({plan.spec.steps[step].place.path, iterations});
      });
    };
  runner->run(plan.schedule);
}

}  // namespace

void run_plan(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache, Progress& progress,
              RunRecord& record) {
  if (plan.spec.execution.precision == core::Precision::kSingle)
    run_schedule<float>(comm, plan, cache, progress, record);
  else
    run_schedule<double>(comm, plan, cache, progress, record);
  comm::phase(comm, [&] {
    if (comm.is_root()) remove_checkpoints(plan);
  });
}

}  // namespace armilla::job

#include <armilla/comm/phase.hpp>
#include <armilla/job/journal/solver_checkpoint.hpp>
#include <armilla/job/run/plan_runner.hpp>
#include <armilla/job/run/runner.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace armilla::job {

namespace {

template <class T>
ValuesByName<T> run_schedule(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
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
  return runner->take_kept();
}

}  // namespace

AnyValues run_plan(const comm::Communicator& comm, const JobPlan& plan, transform::TransformCache& cache,
                   Progress& progress, RunRecord& record) {
  AnyValues kept =
      in_precision_of(plan, [&]<class T>() { return AnyValues(run_schedule<T>(comm, plan, cache, progress, record)); });
  if (has_checkpoints(plan))
    comm::phase(comm, [&] {
      if (comm.is_root()) remove_checkpoints(plan);
    });
  return kept;
}

}  // namespace armilla::job

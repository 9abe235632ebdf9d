#include <armilla/comm/phase.hpp>
#include <armilla/job/run/plan_runner.hpp>
#include <armilla/job/run/runner.hpp>
#include <armilla/job/run/solver_checkpoint.hpp>

namespace armilla::job {

void run_plan(const comm::Communicator& comm, const JobPlan& plan, Progress& progress, RunRecord& record) {
  if (plan.spec.execution.precision == core::Precision::kSingle)
    PlanRunner<float>(comm, plan, progress, record).run(plan.schedule);
  else
    PlanRunner<double>(comm, plan, progress, record).run(plan.schedule);
  comm::phase(comm, [&] {
    if (comm.is_root()) remove_checkpoints(plan);
  });
}

}  // namespace armilla::job

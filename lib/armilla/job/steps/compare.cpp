#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/compare.hpp>
#include <armilla/ops/norms.hpp>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Compare&, StepRun<T>& step) {
  const core::ScopedPhase timer(step.record().timers, "compare");
  const transform::AlmField<T>& alm = step.alm(0);
  for (Index map = 0; map < step.batch().maps; ++map) {
    if (!step.batch().is_there(map)) continue;
    const auto errors = ops::relative_error<T>(step.comm(), alm, step.alm(1), map);
    Comparison comparison{step.place().path, step.operand_info(0).name, step.operand_info(1).name, {}};
    for (std::size_t c = 0; c < errors.size(); ++c)
      comparison.relative_rms.emplace_back(alm.kind().alm_names()[c], errors[c]);
    add_comparison(step.record().comparisons, comparison);
  }
}

}  // namespace

Compare::Compare(const YamlValue& value, const ParseContext&) {
  take(value, "alm", ValueSort::kAlm);
  take(value, "reference", ValueSort::kAlm);
}

OperationKind Compare::kind() { return {"compare", {"alm", "reference"}, parse_step<Compare>}; }

void Compare::plan(StepPlanner& planner) const { planner.check_same_alm(); }

void Compare::run(StepRun<float>& step) const { run_as(*this, step); }
void Compare::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

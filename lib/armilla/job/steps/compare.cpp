#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/norms.hpp>

namespace armilla::job::steps {

namespace {

struct Compare final : Step<Compare> {
  static Keys<Compare> keys() {
    return {operand("alm", ValueSort::kAlm, "the coefficients"),
            operand("reference", ValueSort::kAlm, "what they are compared with; lmax, mmax and fields must be equal")};
  }

  void plan(StepPlanner& planner) const override { planner.check_same_alm(); }

  template <class T>
  void execute(StepRun<T>& step) const {
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
};

}  // namespace

OperationKind compare() {
  return Compare::kind("compare", "Writes the relative rms difference of each component to the report");
}

}  // namespace armilla::job::steps

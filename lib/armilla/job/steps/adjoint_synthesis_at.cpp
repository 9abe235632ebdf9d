#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/rows.hpp>

namespace armilla::job::steps {

namespace {

struct AdjointSynthesisAt final : Step<AdjointSynthesisAt> {
  Limits limits;
  PointAccuracy accuracy = kCatalogueAccuracy;

  static Keys<AdjointSynthesisAt> keys() {
    return {operand("values", ValueSort::kValues, "the values"), lmax(&AdjointSynthesisAt::limits).required(),
            mmax(&AdjointSynthesisAt::limits), catalogue_accuracy_key<AdjointSynthesisAt>(),
            result("the coefficients")};
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    alm.units.assign(alm.units.size(), "");  // a sum over points has no unit of its own
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    check_point_step(planner, alm, accuracy);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    return point_memory(plan, spec, plan.values[planned.operands[0]], rank);
  }

  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts*) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    return points_work(plan, spec, plan.values[planned.operands[0]], {.adjoint = 1});
  }

  std::string plan_note(const JobPlan&, const PlannedStep&) const override { return kPointsNote; }

  bool uses_device(const PlannedStep&) const override { return true; }
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    return point_device_use(plan, spec, plan.values[planned.operands[0]], rank);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    const points::PointField<T>& values = step.values();
    const points::PointTransformSpec spec =
        point_spec(step.result_info(), accuracy, step.execution(), step.batch().maps);
    point_transform(step, spec, *values.points()).adjoint_synthesis(transform::host_components(values), alm);
  }
};

}  // namespace

OperationKind adjoint_synthesis_at() {
  return AdjointSynthesisAt::kind(
      "adjoint_synthesis_at",
      "Apply the adjoint of synthesis_at: the coefficients Y^T values, an unweighted sum over [points](points.md)");
}

}  // namespace armilla::job::steps

#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/rows.hpp>

#include <span>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

struct AdjointSynthesisAt final : Step<AdjointSynthesisAt> {
  Limits limits;
  PointAccuracy accuracy = kCatalogueAccuracy;

  static Keys<AdjointSynthesisAt> keys() {
    const char* const one = "exactly one of `values` and `points` is required";
    return {operand("values", ValueSort::kValues, "the values").requirement(one),
            operand("points", ValueSort::kPoints, "positions, each with the value 1").requirement(one),
            lmax(&AdjointSynthesisAt::limits).required(),
            mmax(&AdjointSynthesisAt::limits),
            catalogue_accuracy_key<AdjointSynthesisAt>(),
            result("the coefficients")};
  }

  void finish(const YamlValue& value) const {
    if (operands().size() != 1)
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "values"), core::mention({}, "points")));
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    if (has_unit_values()) alm.kind = transform::FieldKind::scalar();
    alm.units.assign(core::at(alm.kind.components()), "");  // a sum over points has no unit of its own
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    check_point_step(planner, alm, accuracy);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    core::MemoryEstimate memory = point_memory(plan, spec, plan.values[planned.operands[0]], rank);
    if (has_unit_values())
      memory.workspace += in_precision_of(plan, [&]<class T>() {
        return local_points(plan, plan.values[planned.operands[0]], rank) * static_cast<Index>(sizeof(T));
      });
    return memory;
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
    points::PointTransform<T>& transform = point_transform(step, spec, *values.points());
    if (!has_unit_values()) return transform.adjoint_synthesis(transform::host_components(values), alm);
    std::vector<T> ones;
    step.local("allocate", [&] { ones.assign(values.points()->theta.size(), T{1}); });
    transform.adjoint_synthesis(std::vector<std::span<const T>>{ones}, alm);
  }

 private:
  bool has_unit_values() const { return operands().front().sort == ValueSort::kPoints; }
};

}  // namespace

OperationKind adjoint_synthesis_at() {
  return AdjointSynthesisAt::kind(
      "adjoint_synthesis_at",
      "Apply the adjoint of synthesis_at: the coefficients Y^T values, an unweighted sum over "
      "[points](points.md)");
}

}  // namespace armilla::job::steps

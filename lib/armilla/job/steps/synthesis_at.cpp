#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/rows.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

SynthesisAt::SynthesisAt(const std::string& alm, const std::string& points, PointAccuracy asked, const std::string& out,
                         const std::string& given)
    : accuracy(asked) {
  take("alm", alm, ValueSort::kAlm, given);
  take("points", points, ValueSort::kPoints);
  make(out);
}

Keys<SynthesisAt> SynthesisAt::keys() {
  return {operand("alm", ValueSort::kAlm, "the coefficients"),
          operand("points", ValueSort::kPoints, "the points; if they have values, only the positions are used"),
          catalogue_accuracy_key<SynthesisAt>(), result("the values")};
}

void SynthesisAt::plan(StepPlanner& planner) const {
  if (planner.operand(1).per_item)
    planner.refuse_operand(1, "has separate values for each map: use positions without values");
  ValueInfo& values = planner.make_field(ValueSort::kValues);
  values.catalogue = planner.operand(1).catalogue;
  values.coordsys = planner.common_coordinates(1);
  if (planner.operand(0).coordsys.empty() && !values.coordsys.empty())
    planner.warn({}, fmt::format("the coordinates of '{}' are unspecified and assumed to be {}, like those of the "
                                 "points '{}'",
                                 planner.given_name(0), values.coordsys, planner.given_name(1)));
  check_point_step(planner, planner.operand(0), accuracy);
}

core::MemoryEstimate SynthesisAt::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const points::PointTransformSpec spec =
      point_spec(plan.values[planned.operands[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
  return point_memory(plan, spec, plan.values[planned.operands[1]], rank);
}

StepWork SynthesisAt::work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts*) const {
  const points::PointTransformSpec spec =
      point_spec(plan.values[planned.operands[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
  return points_work(plan, spec, plan.values[planned.operands[1]], {.synthesis = 1});
}

std::optional<DeviceUse> SynthesisAt::device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const points::PointTransformSpec spec =
      point_spec(plan.values[planned.operands[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
  return point_device_use(plan, spec, plan.values[planned.operands[1]], rank);
}

template <class T>
void SynthesisAt::execute(StepRun<T>& step) const {
  const std::shared_ptr<const points::LocalPoints> places = step.values(1).points();
  points::PointField<T>& values = step.make_values(places);
  const points::PointTransformSpec spec =
      point_spec(step.operand_info(0), accuracy, step.execution(), step.batch().maps);
  std::vector<std::span<T>> components;
  for (Index k = 0; k < values.maps(); ++k)
    for (Index c = 0; c < values.kind().components(); ++c) components.push_back(values.component(k, c));
  point_transform(step, spec, *places).synthesis(step.alm(), components);
}

// For composite steps that use it.
ARMILLA_INSTANTIATE(SynthesisAt::execute);

OperationKind synthesis_at() {
  return SynthesisAt::kind("synthesis_at",
                           "Synthesise values from coefficients at the [points](points.md) of a catalogue");
}

}  // namespace armilla::job::steps

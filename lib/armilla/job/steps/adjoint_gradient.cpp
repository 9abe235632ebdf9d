#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/adjoint_gradient.hpp>
#include <armilla/job/steps/gradient.hpp>
#include <armilla/job/steps/sphere.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// One scalar for each pair; X of X_THETA, X_PHI or X_EAST, X_NORTH.
transform::FieldKind scalars_of(const StepPlanner& planner) {
  const transform::FieldKind& vectors = planner.operand().kind;
  std::vector<transform::FieldKind> scalars;
  for (const transform::FieldPart& part : vectors.parts()) {
    if (part.spin != 1)
      planner.refuse_operand(0,
                             fmt::format("has the fields {}, among them some of spin {}: tangent vectors have spin 1",
                                         fmt::join(vectors.map_names(), ", "), part.spin));
    const std::string& name = vectors.map_names()[static_cast<std::size_t>(part.first)];
    std::string scalar = vectors.parts().size() == 1 ? "T" : fmt::format("ADJOINT_{}", name);
    for (const std::string ending : {"_THETA", "_EAST"})
      if (name.size() > ending.size() && name.ends_with(ending)) scalar = name.substr(0, name.size() - ending.size());
    scalars.push_back(transform::FieldKind::scalar(scalar));
  }
  return transform::FieldKind::joined(scalars);
}

template <class T>
void run_as(const AdjointGradient& adjoint, StepRun<T>& step) {
  transform::AlmField<T>& alm = step.make_alm();
  ops::adjoint_gradient(step.transform(), step.map(), alm, adjoint.axes, adjoint.radius.value_or(1.0));
}

}  // namespace

AdjointGradient::AdjointGradient(const YamlValue& value, const ParseContext&)
    : limits(parse_lmax_mmax(value)), axes(parse_axes(value)), radius(parse_radius(value)) {
  take(value, "map", ValueSort::kMap);
  make(value);
}

OperationKind AdjointGradient::kind() {
  return {"adjoint_gradient", {"map", "lmax", "mmax", "axes", "radius_m", "out"}, parse_step<AdjointGradient>};
}

void AdjointGradient::plan(StepPlanner& planner) const {
  ValueInfo& alm = planner.make_field(ValueSort::kAlm);
  alm.kind = scalars_of(planner);
  alm.units.assign(static_cast<std::size_t>(alm.kind.components()), "");  // a sum over pixels has no unit of its own
  alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
  planner.use_transform(planner.operand(), alm.alm, planner.operand().pixels, 1);
}

Index AdjointGradient::extra_bytes(const JobPlan&, const PlannedStep& planned, core::Precision precision,
                                   int rank) const {
  return precision == core::Precision::kSingle ? ops::gradient_bytes<float>(*planned.transform, rank)
                                               : ops::gradient_bytes<double>(*planned.transform, rank);
}

void AdjointGradient::run(StepRun<float>& step) const { run_as(*this, step); }
void AdjointGradient::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

// Gradients of scalars, and their adjoint.
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/gradient.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

core::MemoryEstimate gradient_memory(const JobPlan& plan, const PlannedStep& planned, int rank) {
  return in_precision_of(plan, [&]<class T>() { return ops::gradient_memory<T>(*planned.transform, rank); });
}

/// One scalar for each pair: X of X_THETA, X_PHI or X_EAST, X_NORTH.
transform::FieldKind scalars_of(const StepPlanner& planner) {
  const transform::FieldKind& vectors = planner.operand().kind;
  std::vector<transform::FieldKind> scalars;
  for (const transform::SpinField& part : vectors.spin_fields()) {
    if (part.spin != 1)
      planner.refuse_operand(0,
                             fmt::format("has the fields {}, some of which have spin {}: tangent vectors have spin 1",
                                         fmt::join(vectors.map_names(), ", "), part.spin));
    const std::string& name = vectors.map_names()[static_cast<std::size_t>(part.first)];
    std::string scalar = vectors.spin_fields().size() == 1 ? "T" : fmt::format("ADJOINT_{}", name);
    for (const std::string ending : {"_THETA", "_EAST"})
      if (name.size() > ending.size() && name.ends_with(ending)) scalar = name.substr(0, name.size() - ending.size());
    scalars.push_back(transform::FieldKind::scalar(scalar));
  }
  return transform::FieldKind::joined(scalars);
}

/// Makes the first result the gradient of the first operand.
ValueInfo& plan_vectors(StepPlanner& planner, ValueSort sort, ops::TangentAxes axes, std::optional<double> radius) {
  ValueInfo& vectors = planner.make_field(sort);
  if (vectors.kind.max_spin() > 0)
    planner.refuse_operand(0, fmt::format("has the fields {}, some of which have spin {}: only scalars have a gradient",
                                          fmt::join(vectors.kind.alm_names(), ", "), vectors.kind.max_spin()));
  vectors.kind = ops::gradient_kind(vectors.kind, axes);
  vectors.units.clear();
  for (const std::string& unit : planner.operand().units)
    vectors.units.insert(vectors.units.end(), 2, radius ? times_length(unit, -1) : unit);
  return vectors;
}

struct AdjointGradient final : Step<AdjointGradient> {
  Limits limits;
  ops::TangentAxes axes = ops::TangentAxes::kThetaPhi;
  std::optional<double> radius;

  static Keys<AdjointGradient> keys() {
    return {operand("map", ValueSort::kMap, "the map of tangent vectors"),
            lmax(&AdjointGradient::limits).required(),
            mmax(&AdjointGradient::limits),
            axes_key(&AdjointGradient::axes),
            radius_key(&AdjointGradient::radius),
            result("the coefficients of scalars")};
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    alm.kind = scalars_of(planner);
    alm.units.assign(static_cast<std::size_t>(alm.kind.components()), "");  // a sum over pixels has no unit of its own
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    planner.use_transform(planner.operand(), alm.alm, planner.operand().pixels, 1);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    return gradient_memory(plan, planned, rank);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::AlmField<T>& alm = step.make_alm();
    ops::adjoint_gradient(step.transform(), step.map(), alm, axes, radius.value_or(1.0));
  }
};

}  // namespace

Gradient::Gradient(const std::string& key, const std::string& alm, const GridSpec& grid_of_map, const std::string& out)
    : grid_spec(grid_of_map) {
  take(key, alm, ValueSort::kAlm);
  read(grid_of_map);
  make(out);
}

Keys<Gradient> Gradient::keys() {
  return {operand("alm", ValueSort::kAlm, "the coefficients of scalars"),
          grid("grid", &Gradient::grid_spec, "the grid of the map").required(), axes_key(&Gradient::axes),
          radius_key(&Gradient::radius), result("the map of tangent vectors")};
}

void Gradient::plan(StepPlanner& planner) const {
  ValueInfo& map = plan_vectors(planner, ValueSort::kMap, axes, radius);
  map.pixels = planner.builder().pixels(grid_spec);
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

core::MemoryEstimate Gradient::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  return gradient_memory(plan, planned, rank);
}

template <class T>
void Gradient::execute(StepRun<T>& step) const {
  transform::MapField<T>& map = step.make_map();
  ops::gradient(step.transform(), step.alm(), map, axes, radius.value_or(1.0));
}

ARMILLA_INSTANTIATE(Gradient::execute);

GradientAlm::GradientAlm(const std::string& alm, ops::TangentAxes along, std::optional<double> of_radius,
                         const std::string& out)
    : axes(along), radius(of_radius) {
  take("alm", alm, ValueSort::kAlm);
  make(out);
}

void GradientAlm::plan(StepPlanner& planner) const {
  ValueInfo& vectors = plan_vectors(planner, ValueSort::kAlm, axes, radius);
  vectors.alm = planner.operand().alm;
  planner.check_spins(vectors.kind, vectors.alm->layout().lmax());
}

template <class T>
void GradientAlm::execute(StepRun<T>& step) const {
  transform::AlmField<T>& vectors = step.make_alm();
  step.local("gradient", [&] { ops::gradient_coefficients(step.alm(), vectors, axes, radius.value_or(1.0)); });
}

ARMILLA_INSTANTIATE(GradientAlm::execute);

OperationKind gradient() {
  return Gradient::kind("gradient", "Compute the gradient of scalars, a map of tangent vectors");
}

OperationKind adjoint_gradient() {
  return AdjointGradient::kind(
      "adjoint_gradient",
      "Apply the adjoint of `gradient`, from tangent vectors to alm of scalars: an unweighted sum over pixels");
}

}  // namespace armilla::job::steps

#include <armilla/cost/transform_work.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>

namespace armilla::job::steps {

namespace {

struct AdjointAnalysis final : Step<AdjointAnalysis> {
  GridSpec grid_spec;

  static Keys<AdjointAnalysis> keys() {
    return {
        operand("alm", ValueSort::kAlm, "the coefficients"),
        grid("grid", &AdjointAnalysis::grid_spec, "the grid of the map: full sky, with quadrature weights").required(),
        result("the map")};
  }

  void plan(StepPlanner& planner) const override {
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    map.units.assign(map.units.size(), "");  // like a sum over coefficients, for the inner product of maps
    map.pixels = planner.builder().pixels(grid_spec);
    const grid::RingGrid& rings = map.pixels->grid();
    if (!rings.description().is_whole())
      planner.refuse_key("grid", rings.description().text(),
                         "covers only part of the sky and cannot integrate exactly: use synthesis");
    if (!rings.has_weights())
      planner.refuse_key("grid", rings.description().text(),
                         "has no quadrature weights: add the dataset 'weight' to its file, or use synthesis");
    planner.use_transform(map, planner.operand().alm, map.pixels, 1);
  }

  StepWork work(const JobPlan& /*plan*/, const PlannedStep& planned,
                const cost::TransformCounts* transform) const override {
    if (transform == nullptr) return {};
    return {transform->of({.synthesis = 1, .exact_quadrature = planned.transform->theta_quadrature() ? 1.0 : 0.0}), {}};
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    step.transform().adjoint_quadrature(step.alm(), map);
  }
};

}  // namespace

OperationKind adjoint_analysis() {
  return AdjointAnalysis::kind("adjoint_analysis",
                               "Apply the adjoint of analysis by quadrature: W Y alm with the ring weights W, or on "
                               "equiangular grids the corresponding map of the exact quadrature");
}

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/gradient.hpp>
#include <armilla/job/steps/sphere.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Gradient& gradient, StepRun<T>& step) {
  transform::MapField<T>& map = step.make_map();
  ops::gradient(step.transform(), step.alm(), map, gradient.axes, gradient.radius.value_or(1.0));
}

}  // namespace

ops::TangentAxes parse_axes(const YamlValue& step) {
  const auto given = step.find("axes");
  if (!given) return ops::TangentAxes::kThetaPhi;
  const std::vector<std::string> choices{"theta_phi", "east_north"};
  return given->choice(choices) == 0 ? ops::TangentAxes::kThetaPhi : ops::TangentAxes::kEastNorth;
}

Gradient::Gradient(const YamlValue& value, const ParseContext& context)
    : grid(parse_grid(value.at("grid"), context)), axes(parse_axes(value)), radius(parse_radius(value)) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
}

OperationKind Gradient::kind() {
  return {"gradient", {"alm", "grid", "axes", "radius_m", "out"}, parse_step<Gradient>};
}

void Gradient::plan(StepPlanner& planner) const {
  ValueInfo& map = planner.make_field(ValueSort::kMap);
  if (map.kind.max_spin() > 0)
    planner.refuse_operand(0, fmt::format("has the fields {}, among them some of spin {}: a gradient is of scalars",
                                          fmt::join(map.kind.alm_names(), ", "), map.kind.max_spin()));
  map.kind = ops::gradient_kind(map.kind, axes);
  map.units.clear();
  for (const std::string& unit : planner.operand().units)
    map.units.insert(map.units.end(), 2, radius ? times_length(unit, -1) : unit);
  map.pixels = planner.builder().pixels(grid);
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

Index Gradient::extra_bytes(const JobPlan&, const PlannedStep& planned, core::Precision precision, int rank) const {
  return precision == core::Precision::kSingle ? ops::gradient_bytes<float>(*planned.transform, rank)
                                               : ops::gradient_bytes<double>(*planned.transform, rank);
}

std::vector<std::pair<Place, std::string>> Gradient::files() const {
  if (grid.description.file.empty()) return {};
  return {{grid.place, grid.description.file}};
}

void Gradient::run(StepRun<float>& step) const { run_as(*this, step); }
void Gradient::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/adjoint_analysis.hpp>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const AdjointAnalysis&, StepRun<T>& step) {
  transform::MapField<T>& map = step.make_map();
  step.transform().adjoint_quadrature(step.alm(), map);
}

}  // namespace

AdjointAnalysis::AdjointAnalysis(const YamlValue& value, const ParseContext& context)
    : grid(parse_grid(value.at("grid"), context)) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
}

OperationKind AdjointAnalysis::kind() {
  return {"adjoint_analysis", {"alm", "grid", "out"}, parse_step<AdjointAnalysis>};
}

void AdjointAnalysis::plan(StepPlanner& planner) const {
  ValueInfo& map = planner.make_field(ValueSort::kMap);
  map.units.assign(map.units.size(), "");  // as a sum over coefficients, for the inner product of maps
  map.pixels = planner.builder().pixels(grid);
  const grid::RingGrid& rings = map.pixels->grid();
  if (!rings.description().is_whole())
    planner.refuse_key("grid", rings.description().text(),
                       "is a part of the sky, over which nothing integrates exactly: use synthesis");
  if (!rings.has_weights())
    planner.refuse_key("grid", rings.description().text(),
                       "has no quadrature weights: give the dataset 'weight' in its file, or use synthesis");
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

std::vector<std::pair<Place, std::string>> AdjointAnalysis::files() const {
  if (grid.description.file.empty()) return {};
  return {{grid.place, grid.description.file}};
}

void AdjointAnalysis::run(StepRun<float>& step) const { run_as(*this, step); }
void AdjointAnalysis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

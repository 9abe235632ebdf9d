#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/synthesis.hpp>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Synthesis&, StepRun<T>& step) {
  transform::MapField<T>& map = step.make_map();
  step.transform().synthesis(step.alm(), map);
}

}  // namespace

Synthesis::Synthesis(const YamlValue& value, const ParseContext& context)
    : grid(parse_grid(value.at("grid"), context)) {
  take(value, "alm", ValueSort::kAlm);
  make(value);
}

Synthesis::Synthesis(const std::string& alm, GridSpec grid_of_map, const std::string& out)
    : grid(std::move(grid_of_map)) {
  take("alm", alm, ValueSort::kAlm);
  make(out);
}

OperationKind Synthesis::kind() { return {"synthesis", {"alm", "grid", "out"}, parse_step<Synthesis>}; }

void Synthesis::plan(StepPlanner& planner) const {
  ValueInfo& map = planner.make_field(ValueSort::kMap);
  map.pixels = planner.builder().pixels(grid);
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

std::vector<std::pair<Place, std::string>> Synthesis::files() const {
  if (grid.description.file.empty()) return {};
  return {{grid.place, grid.description.file}};
}

void Synthesis::run(StepRun<float>& step) const { run_as(*this, step); }
void Synthesis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

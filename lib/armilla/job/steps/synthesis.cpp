#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/select.hpp>
#include <armilla/job/steps/synthesis.hpp>

#include <memory>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Synthesis&, StepRun<T>& step) {
  transform::MapField<T>& map = step.make_map();
  step.transform().synthesis(step.alm(), map);
}

std::vector<std::shared_ptr<const Operation>> parse(const YamlValue& value, const ParseContext& context) {
  const auto only = value.find("only");
  if (!only) return {std::make_shared<const Synthesis>(value, context)};
  const std::string out = value.text("out");
  const std::string between = out + " (coefficients)";
  return {std::make_shared<const KeepOnly>(value.text("alm"), only->texts(), between),
          std::make_shared<const Synthesis>(between, parse_grid(value.at("grid"), context), out)};
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

Synthesis::Synthesis(const std::string& alm, const std::string& like, const std::string& out) {
  take("alm", alm, ValueSort::kAlm);
  take("map", like, ValueSort::kMap);
  make(out);
}

OperationKind Synthesis::kind() { return {"synthesis", {"alm", "grid", "only", "out"}, parse}; }

void Synthesis::plan(StepPlanner& planner) const {
  ValueInfo& map = planner.make_field(ValueSort::kMap);
  map.pixels = grid ? planner.builder().pixels(*grid) : planner.operand(1).pixels;
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

std::vector<std::pair<Place, std::string>> Synthesis::files() const {
  if (!grid || grid->description.file.empty()) return {};
  return {{grid->place, grid->description.file}};
}

void Synthesis::run(StepRun<float>& step) const { run_as(*this, step); }
void Synthesis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

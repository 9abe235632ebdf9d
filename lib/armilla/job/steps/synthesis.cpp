#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>

namespace armilla::job::steps {

namespace {

struct SynthesisKeys {
  std::string alm, out;
  std::vector<std::string> only;
  GridSpec grid;

  static Keys<SynthesisKeys> keys() {
    using K = KeyMakers<SynthesisKeys>;
    return {K::value_name("alm", &SynthesisKeys::alm, ValueSort::kAlm, "the coefficients").required(),
            K::texts("only", &SynthesisKeys::only, "components of `alm` to use; the others are set to zero")
                .fallback("all"),
            K::grid("grid", &SynthesisKeys::grid, "the grid of the map").required(),
            K::result_name("out", &SynthesisKeys::out, "the map").required()};
  }

  Operations expand() const {
    if (only.empty()) return {std::make_shared<const Synthesis>(alm, grid, out)};
    const std::string between = out + " (coefficients)";
    return {std::make_shared<const KeepOnly>(alm, only, between),
            std::make_shared<const Synthesis>(between, grid, out)};
  }
};

}  // namespace

Synthesis::Synthesis(const std::string& alm, const GridSpec& grid_of_map, const std::string& out,
                     const std::string& key)
    : onto(grid_of_map) {
  take(key, alm, ValueSort::kAlm);
  read(grid_of_map);
  make(out);
}

Synthesis::Synthesis(const std::string& alm, const std::string& other, const std::string& out) : like(other) {
  take("alm", alm, ValueSort::kAlm);
  make(out);
}

void Synthesis::plan(StepPlanner& planner) const {
  ValueInfo& map = planner.make_field(ValueSort::kMap);
  PlanBuilder& builder = planner.builder();
  map.pixels = onto ? builder.pixels(*onto)
                    : builder.value(builder.find(planner.place(), {"map", like, ValueSort::kMap})).pixels;
  planner.use_transform(map, planner.operand().alm, map.pixels, 1);
}

template <class T>
void Synthesis::execute(StepRun<T>& step) const {
  transform::MapField<T>& map = step.make_map();
  step.transform().synthesis(step.alm(), map);
}

// For composite steps that use it.
ARMILLA_INSTANTIATE(Synthesis::execute);

OperationKind synthesis() {
  return composed_kind<SynthesisKeys>(
      "synthesis",
      "Synthesise a map from coefficients; with `only`, from some components, with the others set to zero");
}

}  // namespace armilla::job::steps

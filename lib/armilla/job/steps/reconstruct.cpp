#include <armilla/job/steps/convolve_step.hpp>
#include <armilla/job/steps/rows.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// Adds maps.
struct AddMaps final : Step<AddMaps> {
  AddMaps(const std::vector<std::string>& maps, const std::string& out) {
    for (const std::string& map : maps) take("map", map, ValueSort::kMap);
    make(out);
  }
  void plan(StepPlanner& planner) const override {
    for (std::size_t k = 1; k < operands().size(); ++k)
      if (!(planner.operand(k).kind == planner.operand().kind))
        planner.refuse_operand(k,
                               fmt::format("has the fields {}, but '{}' has {}: use maps with the same fields",
                                           fmt::join(planner.operand(k).kind.map_names(), ", "), planner.operand().name,
                                           fmt::join(planner.operand().kind.map_names(), ", ")));
    planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("convolve", [&] {
      transform::MapField<T>& sum = step.take_map();
      for (std::size_t k = 1; k < operands().size(); ++k)
        transform::combine(T(1), step.map(k), T(1), sum, sum.memory());
    });
  }
  bool reuses_operand() const override { return true; }
};

/// One of `kernels` of a reconstruction.
struct KernelOfMap : KernelSpec {
  std::string map;

  static Keys<KernelOfMap> keys() {
    using K = KeyMakers<KernelOfMap>;
    Keys<KernelOfMap> rows{
        K::value_name("map", &KernelOfMap::map, ValueSort::kMap, "a result of `convolve`").required()};
    for (auto& row : kernel_keys<KernelOfMap>()) rows.push_back(std::move(row));
    return rows;
  }
};

struct ReconstructKeys : ConvolveOptions {
  std::vector<KernelOfMap> kernels;
  GridSpec grid;
  std::string out;

  static Keys<ReconstructKeys> keys() {
    using K = KeyMakers<ReconstructKeys>;
    Keys<ReconstructKeys> rows{
        kernels_key<ReconstructKeys, KernelOfMap>(&ReconstructKeys::kernels, "the maps to add, each with its kernel")
            .required()};
    for (auto& row : ConvolveOptions::rows<ReconstructKeys>()) rows.push_back(std::move(row));
    rows.push_back(K::grid("grid", &ReconstructKeys::grid, "the grid of the result").required());
    rows.push_back(K::result_name("out", &ReconstructKeys::out, "the map").required());
    return rows;
  }

  Operations expand() const {
    Operations steps;
    std::vector<std::string> parts;
    for (const KernelOfMap& part : kernels) {
      parts.push_back(fmt::format("{} (part {})", out, parts.size() + 1));
      steps.push_back(
          std::make_shared<const Convolve>(part.map, *this, std::vector<NamedKernel>{{part, parts.back(), grid}}));
    }
    steps.push_back(std::make_shared<const AddMaps>(parts, out));
    return steps;
  }
};

}  // namespace

OperationKind reconstruct() {
  return composed_kind<ReconstructKeys>(
      "reconstruct",
      "Reconstruct a map from [needlets](radial_kernels.md#needlets): the sum of maps, each convolved with its kernel");
}

}  // namespace armilla::job::steps

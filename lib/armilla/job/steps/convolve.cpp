#include <armilla/job/steps/convolve_step.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>

#include <set>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// The last step with a mask: divides the convolved map by the convolved mask.
struct Normalise final : Step<Normalise> {
  double least;

  Normalise(const std::string& map, const std::string& divisor, double least_share, const std::string& out)
      : least(least_share) {
    take("map", map, ValueSort::kMap);
    take("mask", divisor, ValueSort::kMap);
    make(out);
  }
  void plan(StepPlanner& planner) const override {
    planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>* map = nullptr;
    step.local("convolve", [&] { map = &step.take_map(); });
    const core::ScopedPhase timer(step.record().timers, "convolve");
    ops::divide_map(step.comm(), *map, step.map(1), least);
  }
  bool reuses_operand() const override { return true; }
};

/// One of `kernels` of a decomposition.
struct KernelEntry : KernelSpec {
  std::string name;
  std::optional<GridSpec> grid;

  static Keys<KernelEntry> keys() {
    using K = KeyMakers<KernelEntry>;
    Keys<KernelEntry> rows{K::result_name("name", &KernelEntry::name, "name of the result").required(),
                           K::grid("grid", &KernelEntry::grid, "grid of the result").fallback("that of the map")};
    for (auto& row : kernel_keys<KernelEntry>()) rows.push_back(std::move(row));
    return rows;
  }
};

struct ConvolveKeys : ConvolveOptions {
  std::string map, mask, out;
  std::optional<KernelSpec> kernel;
  std::optional<GridSpec> grid;
  std::vector<KernelEntry> kernels;
  bool normalise = false;

  static Keys<ConvolveKeys> keys() {
    using K = KeyMakers<ConvolveKeys>;
    Keys<ConvolveKeys> rows{
        K::value_name("map", &ConvolveKeys::map, ValueSort::kMap, "the map").required(),
        K::section("kernel", &ConvolveKeys::kernel, "the [kernel](radial_kernels.md#kernels)")
            .requirement("required unless `kernels` is given"),
        kernels_key<ConvolveKeys, KernelEntry>(
            &ConvolveKeys::kernels, "several kernels with one result each, instead of `kernel`, `grid` and `out`")
            .requirement("required unless `kernel` is given")};
    for (auto& row : ConvolveOptions::rows<ConvolveKeys>()) rows.push_back(std::move(row));
    rows.push_back(K::value_name("mask", &ConvolveKeys::mask, ValueSort::kMap,
                                 "a mask that multiplies the map before the convolution"));
    rows.push_back(K::flag("normalise", &ConvolveKeys::normalise,
                           "divide by the convolved mask; the result is 0 where the convolved mask is at most "
                           "`cutoff_error` times its maximum"));
    rows.push_back(K::grid("grid", &ConvolveKeys::grid, "grid of the result").fallback("that of the map"));
    rows.push_back(
        K::result_name("out", &ConvolveKeys::out, "name of the result").requirement("required with `kernel`"));
    return rows;
  }

  void finish(const YamlValue& value) const {
    if (kernel.has_value() == !kernels.empty())
      value.complain(fmt::format("{} {} and {}{}", kernel ? "has both" : "needs one of", core::mention({}, "kernel"),
                                 core::mention({}, "kernels"), kernel ? ": use one of the two" : ""));
    if (kernel && out.empty()) value.fail("lacks the key 'out', which names the result");
    if (!kernel && !out.empty()) value.fail("has 'out', but each of 'kernels' has its own 'name': remove 'out'");
    if (!kernel && grid) value.fail("has 'grid', but with 'kernels' each kernel has its own 'grid': move it there");
    if (normalise && mask.empty())
      value.complain(fmt::format("has {}, but no mask: add {}", core::mention({}, "normalise", "true"),
                                 core::mention({}, "mask")));
    std::set<std::string> names;
    for (const KernelEntry& entry : kernels)
      if (!names.insert(entry.name).second)
        value.fail(fmt::format("has two kernels named '{}': use a different name for each", entry.name));
  }

  Operations expand() const {
    std::vector<NamedKernel> results;
    if (kernel) results.push_back({*kernel, out, grid});
    for (const KernelEntry& entry : kernels) results.push_back({entry, entry.name, entry.grid});
    if (mask.empty()) return {std::make_shared<const Convolve>(map, *this, results)};
    const auto between = [&](const std::string& result, const char* what) {
      return fmt::format("{} ({})", result, what);
    };
    const std::string masked = between(results.front().out, "masked");
    Operations steps{std::make_shared<const Mask>(map, mask, masked)};
    if (!normalise) {
      steps.push_back(std::make_shared<const Convolve>(masked, *this, results));
      return steps;
    }
    std::vector<NamedKernel> of_map = results, of_mask = results;
    for (NamedKernel& one : of_map) one.out = between(one.out, "of the map");
    for (NamedKernel& one : of_mask) one.out = between(one.out, "of the mask");
    steps.push_back(std::make_shared<const Convolve>(masked, *this, of_map));
    auto weights_left = std::make_shared<Convolve>(mask, *this, of_mask);
    weights_left->divides = true;
    steps.push_back(weights_left);
    for (std::size_t k = 0; k < results.size(); ++k)
      steps.push_back(std::make_shared<const Normalise>(
          of_map[k].out, of_mask[k].out, cutoff_error.value_or(ops::kDefaultCutoffError), results[k].out));
    return steps;
  }
};

}  // namespace

OperationKind convolve() {
  return composed_kind<ConvolveKeys>("convolve",
                                     "Convolve a map with one or several [radial kernels](radial_kernels.md)");
}

}  // namespace armilla::job::steps

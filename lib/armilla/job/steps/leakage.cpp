#include <armilla/core/error.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/leakage.hpp>
#include <armilla/ops/mask.hpp>

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

/// Indices of the components E and B.
constexpr Index kE = 0;
constexpr Index kB = 1;

/// The first step: a mask with one component on a polarisation map.
struct MaskPolarisation final : Mask {
  using Mask::Mask;

  void plan(StepPlanner& planner) const override {
    const transform::FieldKind& kind = planner.operand(0).kind;
    if (kind.spin_fields().size() != 1 || kind.max_spin() == 0)
      planner.refuse_operand(0, fmt::format("has the fields {}, but leakage applies to Q, U only: read it with fields: "
                                            "[Q, U], or extract them with a step select",
                                            fmt::join(kind.map_names(), ", ")));
    if (const Index components = planner.operand(1).kind.components(); components != 1)
      planner.refuse_operand(1, fmt::format("has {} components: use one component, shared by Q and U", components));
    Mask::plan(planner);
  }
};

/// The last step: fits a B map by its template on the pixels of a mask, and subtracts the fit.
struct RemoveLeakage final : Step<RemoveLeakage> {
  RemoveLeakage(const std::string& map, const std::string& pattern, const std::string& mask, const std::string& out) {
    take("b_map", map, ValueSort::kMap);
    take("template", pattern, ValueSort::kMap);
    take("mask", mask, ValueSort::kMap);
    make(out);
  }

  void plan(StepPlanner& planner) const override {
    planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const std::vector<ops::LeakageFit> fits = [&] {
      const core::ScopedPhase timer(step.record().timers, "fit");
      return ops::fit_leakage(step.comm(), step.map(0), step.map(1), step.map(2));
    }();
    step.local("fit", [&] { ops::remove_leakage(step.take_map(), step.map(1), step.map(2), fits); });
    for (std::size_t k = 0; k < fits.size(); ++k) {
      const Index item = step.batch().first + static_cast<Index>(k);
      if (step.batch().is_there(static_cast<Index>(k)))
        step.report(leakage_fits(), {{"map", step.result_info().name},
                                     {"slope", EachMap{{{item, fits[k].slope}}}},
                                     {"intercept", EachMap{{{item, fits[k].intercept}}}}});
    }
  }

  bool reuses_operand() const override { return true; }
};

/// The B map of masked polarisation, corrected for leakage from E (Liu et al. 2019, arXiv:1811.04691, as in fastSHT:
/// Tian, Li & Liu 2022). It expands to other steps and a RemoveLeakage.
struct LeakageKeys {
  std::string map, mask, out;
  std::string b_map, pattern, alm;  // empty: not requested
  std::optional<Limits> limits;
  MethodSpec method;
  Analysis::Aliasing aliasing = Analysis::Aliasing::kRefuse;

  static Keys<LeakageKeys> keys() {
    using K = KeyMakers<LeakageKeys>;
    return {K::value_name("map", &LeakageKeys::map, ValueSort::kMap, "the map of Q, U").required(),
            K::value_name("mask", &LeakageKeys::mask, ValueSort::kMap, "the mask, with one component").required(),
            K::lmax(&LeakageKeys::limits).required(),
            K::mmax(&LeakageKeys::limits),
            method_key(&LeakageKeys::method),
            tolerance_key(&LeakageKeys::method),
            K::flag("allow_aliasing", &LeakageKeys::aliasing, "allow lmax above the limit of the grid"),
            K::result_name("b_map", &LeakageKeys::b_map, "the B map before subtraction of the leakage"),
            K::result_name("template", &LeakageKeys::pattern, "the leakage template"),
            K::result_name("alm", &LeakageKeys::alm, "the coefficients of the result"),
            K::result_name("out", &LeakageKeys::out, "the B map without leakage").required()};
  }

  Operations expand() const {
    const auto between = [&](const char* what) { return fmt::format("{} ({})", out, what); };
    const std::string own_b_map = b_map.empty() ? between("b_map") : b_map;
    const std::string own_template = pattern.empty() ? between("template") : pattern;
    const auto analysis = [&](const std::string& of, const std::string& result) {
      auto step = std::make_shared<Analysis>(of, method, result);
      step->limits = limits;
      step->aliasing = aliasing;
      return step;
    };
    const auto select_b = [&](const std::string& of, const std::string& result) {
      return std::make_shared<const Select>(ValueSort::kAlm, of, Components(kB), result);
    };
    const auto like_mask = [&](const std::string& of, const std::string& result) {
      return std::make_shared<const Synthesis>(of, mask, result);
    };

    // All spin-2 steps first, then all scalar steps, so that one transform is built for each.
    Operations steps{
        std::make_shared<const MaskPolarisation>(map, mask, between("masked")),
        analysis(between("masked"), between("E, B")),
        select_b(between("E, B"), between("B")),
        std::make_shared<const KeepOnly>(between("E, B"), Components(kE), between("E")),
        like_mask(between("E"), between("Q, U of E")),
        std::make_shared<const Mask>(between("Q, U of E"), mask, between("masked Q, U of E")),
        analysis(between("masked Q, U of E"), between("E, B of E")),
        select_b(between("E, B of E"), between("B of E")),
        like_mask(between("B"), own_b_map),
        like_mask(between("B of E"), own_template),
        std::make_shared<const RemoveLeakage>(own_b_map, own_template, mask, out),
    };
    if (!alm.empty()) steps.push_back(analysis(out, alm));
    return steps;
  }
};

/// The intercept is in units of the map.
std::string leakage_text(const Finding& found) {
  const auto map = found.value<std::string>("map");
  const auto slopes = found.value<EachMap>("slope").numbers;
  if (slopes.size() == 1)
    return fmt::format("leakage in '{}': slope {:.6g}, intercept {:.3g}\n", map, slopes.begin()->second,
                       found.value<EachMap>("intercept").numbers.begin()->second);
  OverMaps range;
  for (const auto& [item, slope] : slopes) range.merge(OverMaps::of(slope));
  return fmt::format("leakage in '{}', {} maps: slopes {:.6g} .. {:.6g}\n", map, slopes.size(), range.min, range.max);
}

}  // namespace

FindingKind leakage_fits() { return {"leakage", leakage_text}; }

OperationKind leakage() {
  return composed_kind<LeakageKeys>(
      "leakage", "Compute the B map of masked Q, U, corrected for [leakage from E](cut_sky.md#e-to-b-leakage)");
}

}  // namespace armilla::job::steps

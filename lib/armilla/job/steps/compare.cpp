#include <armilla/core/error.hpp>
#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/norms.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

struct Compare final : Step<Compare> {
  std::string alm, values, reference;

  static Keys<Compare> keys() {
    KeyOf<Compare> other =
        value_name("reference", &Compare::reference, ValueSort::kAlm,
                   "the reference, with the same fields, lmax and mmax, or the same fields and points")
            .required();
    other.key.form = "alm or values";
    return {value_name("alm", &Compare::alm, ValueSort::kAlm, "the coefficients")
                .requirement("exactly one of `alm` and `values` is required"),
            value_name("values", &Compare::values, ValueSort::kValues, "values at points")
                .requirement("exactly one of `alm` and `values` is required"),
            std::move(other)};
  }

  void finish(const YamlValue& value) {
    if (alm.empty() == values.empty())
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "alm"), core::mention({}, "values")));
    const ValueSort sort = values.empty() ? ValueSort::kAlm : ValueSort::kValues;
    take(sort_name(sort), values.empty() ? alm : values, sort);
    take("reference", reference, sort);
  }

  void plan(StepPlanner& planner) const override {
    if (values.empty()) return planner.check_same_alm();
    planner.check_same_kind();
    check_same_catalogue(planner);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const core::ScopedPhase timer(step.record().timers, "compare");
    for (Index map = 0; map < step.batch().maps; ++map) {
      if (!step.batch().is_there(map)) continue;
      FindingValues found{{values.empty() ? "alm" : "values", step.operand_info(0).name},
                          {"reference", step.operand_info(1).name},
                          {"maps", SumOverMaps{1}}};
      if (values.empty())
        compare_alm(step, map, found);
      else
        compare_values(step, map, found);
      step.report(comparisons(), std::move(found));
    }
  }

 private:
  template <class T>
  static void compare_alm(StepRun<T>& step, Index map, FindingValues& found) {
    const auto errors = ops::relative_error<T>(step.comm(), step.alm(0), step.alm(1), map);
    LargestOverMaps rms;
    for (std::size_t c = 0; c < errors.size(); ++c)
      rms.components.emplace_back(step.alm(0).kind().alm_names()[c], errors[c]);
    found.emplace_back("relative_rms", std::move(rms));
  }
  template <class T>
  static void compare_values(StepRun<T>& step, Index map, FindingValues& found) {
    std::vector<ops::ValueDifference> differences;
    try {
      differences = ops::value_differences<T>(step.comm(), step.values(0), step.values(1), map);
    } catch (const core::InputError& error) {
      complain(step.place(), {}, marked_text(error));
    }
    LargestOverMaps rms, largest;
    for (std::size_t c = 0; c < differences.size(); ++c) {
      const std::string& name = step.values(0).kind().map_names()[c];
      rms.components.emplace_back(name, differences[c].relative_rms);
      largest.components.emplace_back(name, differences[c].largest);
    }
    found.emplace_back("relative_rms", std::move(rms));
    found.emplace_back("largest_difference", std::move(largest));
  }
};

std::string comparison_text(const Finding& found) {
  const auto alm = found.value<std::string>("alm");
  const Index maps = found.value<SumOverMaps>("maps").sum;
  std::string text =
      fmt::format("relative rms error of '{}' against '{}'{}:", alm.empty() ? found.value<std::string>("values") : alm,
                  found.value<std::string>("reference"), maps > 1 ? fmt::format(", maximum over {} maps", maps) : "");
  const auto append = [&](const LargestOverMaps& largest) {
    for (const auto& [name, value] : largest.components) text += fmt::format("  {} {:.2e}", name, value);
  };
  append(found.value<LargestOverMaps>("relative_rms"));
  const auto largest = found.value<LargestOverMaps>("largest_difference");
  if (!largest.components.empty()) text += "; largest difference:";
  append(largest);
  return text + "\n";
}

}  // namespace

FindingKind comparisons() { return {"comparisons", comparison_text}; }

OperationKind compare() {
  return Compare::kind("compare",
                       "Report the relative rms difference of each component, and for values the largest difference");
}

}  // namespace armilla::job::steps

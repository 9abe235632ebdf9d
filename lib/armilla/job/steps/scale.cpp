#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/job/value/unit_powers.hpp>
#include <armilla/ops/alm_algebra.hpp>
#include <armilla/ops/map_algebra.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

const char* const kOneScaled = "exactly one of `map` and `alm` is required";
const char* const kFactorOrUnits = "at least one of `factor` and `units` is required";

/// Whether a factor looks like the conversion between two prefixes of a unit.
bool looks_like_conversion(double factor) {
  constexpr std::array<double, 8> kFactors{1e3, 1e6, 1e9, 1e12, 1e-3, 1e-6, 1e-9, 1e-12};
  return std::ranges::find(kFactors, std::abs(factor)) != kFactors.end();
}

struct Scale final : Step<Scale> {
  std::optional<double> factor;
  std::string units;

  static Keys<Scale> keys() {
    return {operand("map", ValueSort::kMap, "the map; its bad pixels stay bad").requirement(kOneScaled),
            operand("alm", ValueSort::kAlm, "the coefficients").requirement(kOneScaled),
            number("factor", &Scale::factor, -kAny, kAny, "the factor").requirement(kFactorOrUnits),
            text("units", &Scale::units,
                 "the [unit](job_reference.md#units) of the product. Without `factor`: numbers are converted to it")
                .requirement(kFactorOrUnits),
            result("the product")};
  }
  void finish(const YamlValue& value) const {
    if (operands().size() != 1)
      value.complain(fmt::format("needs one of {} and {}", core::mention({}, "map"), core::mention({}, "alm")));
    if (!factor && units.empty())
      value.complain(fmt::format("needs {}, a number, or {}, to which it converts", core::mention({}, "factor"),
                                 core::mention({}, "units")));
  }

  void plan(StepPlanner& planner) const override {
    const ValueInfo& from = planner.operand();
    ValueInfo& product = planner.make_field(from.sort);
    product.alm = from.alm;
    product.pixels = from.pixels;
    if (!units.empty()) {
      if (!factor) check_conversion(planner);
      product.units.assign(static_cast<std::size_t>(product.kind.components()), units);
    } else if (looks_like_conversion(*factor)) {
      const auto unit = std::ranges::find_if(from.units, [](const std::string& one) { return !one.empty(); });
      if (unit != from.units.end())
        planner.warn_of_key(
            "factor", fmt::format("{}", *factor),
            fmt::format("leaves the unit {} as it is. If the factor converts it, set {} to the new unit", *unit,
                        core::mention({}, "units")));
    }
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    const std::vector<double> factors = factors_for(step.operand_info());
    step.local("scale", [&] {
      if (step.operand_info().sort == ValueSort::kMap)
        ops::scale(step.take_map(), factors);
      else
        ops::scale(step.take_alm(), factors);
    });
  }

  bool reuses_operand() const override { return true; }
  bool keeps_bad_pixels() const override { return true; }

 private:
  void check_conversion(const StepPlanner& planner) const {
    const ValueInfo& from = planner.operand();
    for (std::size_t c = 0; c < core::at(from.kind.components()); ++c) {
      const std::string unit = c < from.units.size() ? from.units[c] : std::string();
      if (unit.empty())
        planner.refuse_key("units", units,
                           fmt::format("has no unit to convert from, because {} has none: also set {}, which is 1 if "
                                       "its numbers are in this unit",
                                       planner.named(0), core::mention({}, "factor")));
      if (!unit_factor(unit, units))
        planner.refuse_key("units", units,
                           fmt::format("cannot be converted from {}, the unit of {}: also set {}", unit,
                                       planner.named(0), core::mention({}, "factor")));
    }
  }
  /// One factor for each component.
  std::vector<double> factors_for(const ValueInfo& from) const {
    std::vector<double> factors(core::at(from.kind.components()), factor.value_or(1));
    for (std::size_t c = 0; c < factors.size() && !factor; ++c) factors[c] = *unit_factor(from.units[c], units);
    return factors;
  }
};

}  // namespace

OperationKind scale() {
  return Scale::kind("scale", "Multiply a map or coefficients by a number, or convert them to another unit");
}

}  // namespace armilla::job::steps

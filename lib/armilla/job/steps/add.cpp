#include <armilla/job/steps/rows.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

struct Add final : Step<Add> {
  double factor = 1;        // of `alm`
  double other_factor = 1;  // of `with`

  static Keys<Add> keys() {
    return {operand("alm", ValueSort::kAlm, "the first summand"),
            operand("with", ValueSort::kAlm, "the second summand"),
            other("factors", "[number, number]", "the factors of `alm` and `with`", parse_factors).fallback("[1, 1]"),
            result("the sum")};
  }

  static void parse_factors(Add& add, const YamlValue& value, const ParseContext&) {
    const auto items = value.items();
    if (items.size() != 2) value.fail("is not a list of two numbers: expected a value such as [1, -1]");
    add.factor = parse_finite(items[0]);
    add.other_factor = parse_finite(items[1]);
  }

  void plan(StepPlanner& planner) const override {
    planner.check_same_alm();
    ValueInfo& sum = planner.make_field(ValueSort::kAlm);
    sum.alm = planner.operand().alm;
    if (sum.units != planner.operand(1).units)
      planner.refuse_operand(
          1,
          fmt::format("has units '{}', but '{}' has '{}': scale one of them to the units of the other",
                      fmt::join(planner.operand(1).units, ", "), planner.operand(0).name, fmt::join(sum.units, ", ")));
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    step.local("add", [&] {
      transform::AlmField<T>& sum = step.take_alm();
      const bool same = step.planned().operands[0] == step.planned().operands[1];
      ops::add(sum, factor, same ? sum : step.alm(1), other_factor);
    });
  }

  bool reuses_operand() const override { return true; }
};

}  // namespace

OperationKind add() {
  return Add::kind(
      "add", "Add coefficients: factors[0] `alm` + factors[1] `with`; both must have the same lmax, mmax and units");
}

}  // namespace armilla::job::steps

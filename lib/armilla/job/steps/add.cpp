#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/add.hpp>
#include <armilla/ops/alm_algebra.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Add& add, StepRun<T>& step) {
  step.local("add", [&] {
    transform::AlmField<T>& sum = step.take_alm();
    const bool same = step.planned().operands[0] == step.planned().operands[1];
    ops::add(sum, add.factor, same ? sum : step.alm(1), add.other_factor);
  });
}

}  // namespace

Add::Add(const YamlValue& value, const ParseContext&) {
  take(value, "alm", ValueSort::kAlm);
  take(value, "with", ValueSort::kAlm);
  if (const auto factors = value.find("factors")) {
    const auto items = factors->items();
    if (items.size() != 2) factors->fail("does not have two numbers: expected [1, -1] and its like");
    factor = parse_finite(items[0]);
    other_factor = parse_finite(items[1]);
  }
  make(value);
}

OperationKind Add::kind() { return {"add", {"alm", "with", "factors", "out"}, parse_step<Add>}; }

void Add::plan(StepPlanner& planner) const {
  planner.check_same_alm();
  ValueInfo& sum = planner.make_field(ValueSort::kAlm);
  sum.alm = planner.operand().alm;
  if (sum.units != planner.operand(1).units)
    planner.refuse_operand(
        1, fmt::format("has the units '{}', but '{}' has '{}': scale one of them into the other's",
                       fmt::join(planner.operand(1).units, ", "), planner.operand(0).name, fmt::join(sum.units, ", ")));
}

void Add::run(StepRun<float>& step) const { run_as(*this, step); }
void Add::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

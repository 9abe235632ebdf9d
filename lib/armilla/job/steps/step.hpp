#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/key_makers.hpp>
#include <armilla/job/parse/operation_kind.hpp>
#include <armilla/job/plan/job_work.hpp>
#include <armilla/job/plan/step_planner.hpp>
#include <armilla/job/run/step_run.hpp>

#include <memory>
#include <string>
#include <utility>

namespace armilla::job::steps {

/// Base of the class `Derived` of an operation. `Derived` declares keys() and plan(), and `template <class T> void
/// execute(StepRun<T>& step) const`, collective, which computes the results.
template <class Derived>
class Step : public Operation, public KeyMakers<Derived> {
 public:
  void run(StepRun<float>& step) const final { static_cast<const Derived&>(*this).execute(step); }
  void run(StepRun<double>& step) const final { static_cast<const Derived&>(*this).execute(step); }
  /// By default, that of its transforms.
  StepWork work(const JobPlan& plan, const PlannedStep& planned,
                const cost::TransformCounts* transform) const override {
    return work_of_transforms(plan, planned, transform);
  }

  /// The table row of the operation.
  static OperationKind kind(std::string name, std::string help) {
    return {std::move(name), std::move(help), described(Derived::keys()),
            [](const YamlValue& value, const ParseContext& context) -> std::vector<ParsedStep> {
              auto step = std::make_shared<Derived>();
              parse_section(*step, value, context);
              return {{step, step.get()}};
            }};
  }

 protected:
  /// Stores what only this operation knows of a planned step.
  template <class State>
  static void set_state(PlannedStep& planned, State state) {
    planned.state = std::make_shared<const StateOf<State>>(std::move(state));
  }
  /// The state of a step planned by this operation, as stored by set_state().
  template <class State>
  static const State& state_of(const PlannedStep& planned) {
    const auto* found = dynamic_cast<const StateOf<State>*>(planned.state.get());
    if (found == nullptr) throw core::InternalError("a planned step lacks the state of its operation");
    return found->state;
  }

  /// A key that names an operand of the step; operands are numbered in table order.
  static KeyOf<Derived> operand(std::string name, ValueSort sort, std::string help) {
    return {{.name = std::move(name),
             .type = KeyType::kOperand,
             .help = std::move(help),
             .form = sort_name(sort),
             .is_required = true},
            [sort](Derived& step, const Key& key, const YamlValue& value, const ParseContext&) {
              step.take(key.name, value.text(), sort);
            }};
  }
  /// The key `out`, which names the result of the step.
  static KeyOf<Derived> result(std::string help) {
    return {{.name = "out", .type = KeyType::kResult, .help = std::move(help), .is_required = true},
            [](Derived& step, const Key&, const YamlValue& value, const ParseContext&) { step.make(value.text()); }};
  }

 private:
  template <class State>
  struct StateOf final : StepState {
    explicit StateOf(State given) : state(std::move(given)) {}
    State state;
  };
};

using Operations = std::vector<std::shared_ptr<const Operation>>;

/// The table row of a composite operation: `Section` declares keys() and has `Operations expand() const`.
template <class Section>
OperationKind composed_kind(std::string name, std::string help) {
  return {std::move(name), std::move(help), described(Section::keys()),
          [](const YamlValue& value, const ParseContext& context) {
            Section section;
            parse_section(section, value, context);
            std::vector<ParsedStep> steps;
            for (auto& operation : section.expand()) steps.push_back({operation, operation.get()});
            return steps;
          }};
}

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/select.hpp>
#include <armilla/ops/components.hpp>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

ops::ComponentNames names_in(ValueSort sort) {
  return sort == ValueSort::kMap ? ops::ComponentNames::kMap : ops::ComponentNames::kAlm;
}

/// numbers_of(), with the place and `key` in the message.
std::vector<Index> numbers_or_refuse(const StepPlanner& planner, const char* key, const Components& components) {
  try {
    return numbers_of(components, planner.operand());
  } catch (const core::InputError& error) {
    const auto* names = std::get_if<std::vector<std::string>>(&components);
    planner.refuse_key(key, names ? fmt::format("[{}]", fmt::join(*names, ", ")) : "component",
                       fmt::format("of '{}' {}", planner.operand().name, error.what()));
  }
}

template <class T>
void run_as(const Select& select, StepRun<T>& step) {
  const std::vector<Index> numbers = numbers_of(select.components, step.operand_info());
  if (step.operand_info().sort == ValueSort::kMap) {
    auto& made = step.make_map();
    step.local("select", [&] { ops::copy_components(step.map(), numbers, made); });
  } else {
    auto& made = step.make_alm();
    step.local("select", [&] { ops::copy_components(step.alm(), numbers, made); });
  }
}

template <class T>
void run_as(const KeepOnly& keep, StepRun<T>& step) {
  const std::vector<Index> numbers = numbers_of(keep.components, step.operand_info());
  step.local("select", [&] { ops::keep_components(step.take_alm(), numbers); });
}

}  // namespace

std::vector<Index> numbers_of(const Components& components, const ValueInfo& value) {
  if (const auto* number = std::get_if<Index>(&components)) return {*number};
  return ops::find_components(value.kind, std::get<std::vector<std::string>>(components), names_in(value.sort));
}

std::vector<std::string> units_of(const ValueInfo& value, const std::vector<Index>& components) {
  std::vector<std::string> units;
  for (const Index component : components)
    if (static_cast<std::size_t>(component) < value.units.size())
      units.push_back(value.units[static_cast<std::size_t>(component)]);
  return units;
}

Select::Select(const YamlValue& value, const ParseContext&) : components(value.at("fields").texts()) {
  const bool map = value.find("map").has_value();
  if (map == value.find("alm").has_value())
    throw core::InputError(
        fmt::format("{}: {} needs one of the keys 'map' and 'alm'", value.place().where, value.path()));
  take(value, map ? "map" : "alm", map ? ValueSort::kMap : ValueSort::kAlm);
  make(value);
}

Select::Select(ValueSort sort, const std::string& from, Components which, const std::string& out)
    : components(std::move(which)) {
  take(sort == ValueSort::kMap ? "map" : "alm", from, sort);
  make(out);
}

OperationKind Select::kind() { return {"select", {"map", "alm", "fields", "out"}, parse_step<Select>}; }

void Select::plan(StepPlanner& planner) const {
  const ValueInfo& from = planner.operand();
  const std::vector<Index> numbers = numbers_or_refuse(planner, "fields", components);
  ValueInfo& result = planner.make_field(from.sort);
  result.alm = from.alm;
  result.pixels = from.pixels;
  result.kind = ops::kind_of_components(from.kind, numbers, names_in(from.sort));
  result.units = units_of(from, numbers);
}

void Select::run(StepRun<float>& step) const { run_as(*this, step); }
void Select::run(StepRun<double>& step) const { run_as(*this, step); }

KeepOnly::KeepOnly(const std::string& alm, Components which, const std::string& out) : components(std::move(which)) {
  take("alm", alm, ValueSort::kAlm);
  make(out);
}

void KeepOnly::plan(StepPlanner& planner) const {
  numbers_or_refuse(planner, "only", components);
  planner.make_field(ValueSort::kAlm).alm = planner.operand().alm;
}

void KeepOnly::run(StepRun<float>& step) const { run_as(*this, step); }
void KeepOnly::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

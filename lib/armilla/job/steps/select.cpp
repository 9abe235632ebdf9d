#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/components.hpp>

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

ops::ComponentNames names_in(ValueSort sort) {
  return sort == ValueSort::kMap ? ops::ComponentNames::kMap : ops::ComponentNames::kAlm;
}

/// numbers_of(), with the path and `key` in the message.
std::vector<Index> numbers_or_refuse(const StepPlanner& planner, const char* key, const Components& components) {
  try {
    return numbers_of(components, planner.operand());
  } catch (const core::InputError& error) {
    const auto* names = std::get_if<std::vector<std::string>>(&components);
    planner.refuse_key(key, names ? fmt::format("[{}]", fmt::join(*names, ", ")) : "component",
                       fmt::format("of '{}' {}", planner.operand().name, marked_text(error)));
  }
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

Select::Select(ValueSort sort, const std::string& from, Components which, const std::string& out)
    : components(std::move(which)) {
  take(sort_name(sort), from, sort);
  make(out);
}

Keys<Select> Select::keys() {
  const auto one_of_two = [](KeyOf<Select> key) {
    return std::move(key).requirement("exactly one of `map` and `alm` is required");
  };
  return {one_of_two(operand("map", ValueSort::kMap, "the map")),
          one_of_two(operand("alm", ValueSort::kAlm, "the coefficients")),
          other("fields", "list of names", "the components, in the order of the field",
                [](Select& select, const YamlValue& value, const ParseContext&) {
                  select.components = component_names(value);
                })
              .required(),
          result("a field of these components; E or B on its own becomes a scalar")};
}

void Select::finish(const YamlValue& value) const {
  if (operands().size() != 1)
    value.complain(fmt::format("needs one of {} and {}", core::mention({}, "map"), core::mention({}, "alm")));
}

void Select::plan(StepPlanner& planner) const {
  const ValueInfo& from = planner.operand();
  const std::vector<Index> numbers = numbers_or_refuse(planner, "fields", components);
  ValueInfo& selected = planner.make_field(from.sort);
  selected.alm = from.alm;
  selected.pixels = from.pixels;
  selected.kind = ops::kind_of_components(from.kind, numbers, names_in(from.sort));
  selected.units = units_of(from, numbers);
}

template <class T>
void Select::execute(StepRun<T>& step) const {
  const std::vector<Index> numbers = numbers_of(components, step.operand_info());
  const auto copy = [&](const auto& from, auto& to) {
    step.local("select", [&] { ops::copy_components(from, numbers, to); });
  };
  if (step.operand_info().sort == ValueSort::kMap)
    copy(step.map(), step.make_map());
  else
    copy(step.alm(), step.make_alm());
}

KeepOnly::KeepOnly(const std::string& alm, Components which, const std::string& out) : components(std::move(which)) {
  take("alm", alm, ValueSort::kAlm);
  make(out);
}

void KeepOnly::plan(StepPlanner& planner) const {
  numbers_or_refuse(planner, "only", components);
  planner.make_field(ValueSort::kAlm).alm = planner.operand().alm;
}

template <class T>
void KeepOnly::execute(StepRun<T>& step) const {
  const std::vector<Index> numbers = numbers_of(components, step.operand_info());
  step.local("select", [&] { ops::keep_components(step.take_alm(), numbers); });
}

// For composite steps that use them.
ARMILLA_INSTANTIATE(Select::execute);
ARMILLA_INSTANTIATE(KeepOnly::execute);

OperationKind select() {
  return Select::kind("select", "Select components of a field; E or B on its own becomes a scalar");
}

}  // namespace armilla::job::steps

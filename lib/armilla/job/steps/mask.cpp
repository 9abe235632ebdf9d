#include <armilla/core/error.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/mask.hpp>
#include <armilla/ops/mask.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

template <class T>
void run_as(const Mask&, StepRun<T>& step) {
  refuse_empty_mask(step, 1);
  step.local("mask", [&] { ops::apply_mask(step.take_map(), step.map(1)); });
}

}  // namespace

void check_mask(const StepPlanner& planner, std::size_t number) {
  const ValueInfo& map = planner.operand(0);
  const ValueInfo& mask = planner.operand(number);
  try {
    ops::check_mask(mask.kind, mask.pixels->grid(), map.kind, map.pixels->grid());
  } catch (const core::InputError& error) {
    planner.refuse_operand(number, error.what());
  }
}

template <class T>
void refuse_empty_mask(StepRun<T>& step, std::size_t number) {
  const transform::MapField<T>& mask = step.map(number);
  const std::vector<Index> counts = ops::count_unmasked(step.comm(), mask);
  const auto components = static_cast<std::ptrdiff_t>(mask.kind().components());
  std::vector<ops::MapFault> empty;
  for (Index k = 0; k < mask.maps(); ++k) {
    const auto first = counts.begin() + k * components;
    if (std::all_of(first, first + components, [](Index count) { return count == 0; }))
      empty.push_back(
          {k, fmt::format("its mask '{}' is 0 everywhere: nothing is left of it", step.operand_info(number).name)});
  }
  if (empty.empty()) return;
  if (!step.operand_info(number).per_item)
    refuse(step.place(), "mask", step.operand_info(number).name,
           "is 0 everywhere: nothing is left of the map, give another mask");
  step.leave_out(empty);
}

template void refuse_empty_mask<float>(StepRun<float>&, std::size_t);
template void refuse_empty_mask<double>(StepRun<double>&, std::size_t);

Mask::Mask(const YamlValue& value, const ParseContext&)
    : Mask(value.text("map"), value.text("mask"), value.text("out")) {}

Mask::Mask(const std::string& map, const std::string& mask, const std::string& out) {
  take("map", map, ValueSort::kMap);
  take("mask", mask, ValueSort::kMap);
  make(out);
}

OperationKind Mask::kind() { return {"mask", {"map", "mask", "out"}, parse_step<Mask>}; }

void Mask::plan(StepPlanner& planner) const {
  check_mask(planner, 1);
  planner.make_field(ValueSort::kMap).pixels = planner.operand().pixels;
}

void Mask::run(StepRun<float>& step) const { run_as(*this, step); }
void Mask::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/mask.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

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
          {k, fmt::format("its mask '{}' is 0 everywhere, so no pixels remain", step.operand_info(number).name)});
  }
  if (empty.empty()) return;
  if (!step.operand_info(number).per_item)
    refuse(step.place(), "mask", step.operand_info(number).name,
           "is 0 everywhere, so no pixels remain: use another mask");
  step.leave_out(empty);
}

ARMILLA_INSTANTIATE(refuse_empty_mask);

Mask::Mask(const std::string& map, const std::string& mask, const std::string& out) {
  take("map", map, ValueSort::kMap);
  take("mask", mask, ValueSort::kMap);
  make(out);
}

Keys<Mask> Mask::keys() {
  return {operand("map", ValueSort::kMap, "the map"),
          operand("mask", ValueSort::kMap, "the mask, on the same pixels, with one component or as many as the map"),
          choice("outside", &Mask::outside, {"zero", "bad"},
                 "pixels where the mask is 0: `zero` sets them to 0, `bad` marks them as [bad pixels]"
                 "(job_reference.md#bad-pixels)"),
          result("the masked map")};
}

void Mask::plan(StepPlanner& planner) const {
  const ValueInfo& map = planner.operand(0);
  const ValueInfo& mask = planner.operand(1);
  try {
    ops::check_mask(mask.kind, mask.pixels->grid(), map.kind, map.pixels->grid());
  } catch (const core::InputError& error) {
    const bool is_of_columns = mask.pixels->grid().same_pixels(map.pixels->grid());
    planner.refuse_operand(1, marked_text(error) + (is_of_columns ? planner.how_to_select(1) : ""));
  }
  ValueInfo& masked = planner.make_field(ValueSort::kMap);
  masked.pixels = map.pixels;
  masked.has_bad = outside == ops::Outside::kBad;
}

template <class T>
void Mask::execute(StepRun<T>& step) const {
  refuse_empty_mask(step, 1);
  step.local("mask", [&] { ops::apply_mask(step.take_map(), step.map(1), outside); });
}

// For derived steps.
ARMILLA_INSTANTIATE(Mask::execute);

OperationKind mask() {
  return Mask::kind(
      "mask",
      "Multiply a map by a [mask](cut_sky.md). Where the mask is 0, the result is 0, or bad. A mask that is 0 "
      "everywhere is an error");
}

}  // namespace armilla::job::steps

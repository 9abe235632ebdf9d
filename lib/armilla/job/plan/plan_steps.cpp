#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/job/plan/step_planner.hpp>

#include <fmt/format.h>

namespace armilla::job {

std::shared_ptr<const grid::RingGrid> PlanBuilder::rings_of(const GridSpec& spec) {
  if (!spec.value.empty()) {
    const std::size_t map = find(spec.place, {.key = "file", .name = spec.value, .sort = ValueSort::kMap});
    plan_.values[map].gives_grid = true;
    return plan_.values[map].pixels->shared_grid();
  }
  std::shared_ptr<const grid::RingGrid>& rings = plan_.opened->rings[spec.description.file];
  if (rings) return rings;
  const core::SeenFile file{spec.description.file, core::state_of(spec.description.file)};
  rings = open_rings(file.path);
  note(file, rings->description().text() + fmt::format(", {} pixels", rings->npix()));
  return rings;
}

std::shared_ptr<const dist::PixelDistribution> PlanBuilder::pixels(const GridSpec& spec) {
  try {
    if (spec.description.kind != "rings")
      return pixels(std::make_shared<const grid::RingGrid>(grid::make_part(spec.description, spec.selection)));
    return pixels(std::make_shared<const grid::RingGrid>(grid::part_of(*rings_of(spec), spec.selection)));
  } catch (const core::Error& error) {
    if (error.context()) throw;
    core::throw_error(error.kind(), error_at(spec.place, {}, marked_text(error)));
  }
}

namespace {

/// Throws InputError for an operand with bad pixels, unless the operation keeps them.
void check_bad_pixels(const StepPlanner& planner, const Operation& operation) {
  for (std::size_t i = 0; i < operation.operands().size(); ++i)
    if (planner.operand(i).has_bad && !operation.keeps_bad_pixels())
      planner.refuse_operand(i,
                             fmt::format("has bad pixels, which this step cannot use: set {} of its input, which sets "
                                         "them to 0",
                                         core::mention({}, "bad_data", "zero")));
}

}  // namespace

void PlanBuilder::steps() {
  for (const auto& step : plan_.spec.steps) {
    PlannedStep planned;
    for (const auto& operand : step.operation->operands()) planned.operands.push_back(find(step.place, operand));
    StepPlanner planner(*this, step, planned);
    check_bad_pixels(planner, *step.operation);
    step.operation->plan(planner);
    planned.per_item = step.operation->makes_items() > 0;
    for (const std::size_t operand : planned.operands) planned.per_item |= plan_.values[operand].per_item;
    if (step.operation->gathers() && !planned.per_item)
      complain(step.place, {},
               fmt::format("needs many maps, but '{}' belongs to a single map: use a pattern, a batch axis, or "
                           "{}",
                           plan_.values[planned.operands.front()].name, core::mention("steps.random_alm", "maps")),
               core::ErrorContext::Form::kPredicate);
    for (auto& result : planner.results()) {
      result.per_item = planned.per_item && !step.operation->gathers();
      if (result.sort == ValueSort::kMap && step.operation->keeps_bad_pixels())
        for (const std::size_t operand : planned.operands) result.has_bad |= plan_.values[operand].has_bad;
      planned.results.push_back(add(step.place, std::move(result)));
    }
    plan_.steps.push_back(std::move(planned));
  }
}

}  // namespace armilla::job

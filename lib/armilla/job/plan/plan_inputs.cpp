#include <armilla/core/error.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/value/input_value.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// The mask derived from the bad pixels of an input.
ValueInfo mask_of_good_pixels(const InputSpec& input, const ValueInfo& map) {
  ValueInfo mask;
  mask.name = input.good_pixels;
  mask.kind = transform::FieldKind::scalar("MASK");
  mask.pixels = map.pixels;
  mask.units = {""};
  mask.coordsys = map.coordsys;
  mask.per_item = map.per_item;
  return mask;
}

}  // namespace

bool PlanBuilder::can_borrow(const InputSpec& input, const PlannedInput& planned, const ValueInfo& value) const {
  if (value.per_item || input.bad_data != BadDataPolicy::kError || input.monopole == Monopole::kRemove) return false;
  // A kept input is a copy of what the job read.
  if (plan_.spec.keep && std::ranges::find(*plan_.spec.keep, input.name) != plan_.spec.keep->end()) return false;
  const Described& described = planned.source->described();
  for (std::size_t c = 0; c < planned.components.size(); ++c)
    if (planned.components[c] != static_cast<Index>(c)) return false;
  if (static_cast<Index>(planned.components.size()) != described.components) return false;
  return in_precision_of(plan_, [&]<class T>() { return !planned.source->borrow(T()).is_empty(); });
}

std::shared_ptr<const Source> PlanBuilder::source_of(const InputSpec& input, std::size_t number) {
  if (number < plan_.opened->sources.size()) return plan_.opened->sources[number];
  const auto open = [&]() -> std::shared_ptr<const Source> {
    if (const auto given = given_.find(input.name); given != given_.end()) return given->second;
    std::error_code error;
    const std::string file = input.files_of(0).front();
    if (input.expect && plan_.spec.allows_expected && !std::filesystem::exists(file, error)) {
      plan_.warnings.push_back(plan_.spec.word(
          error_at(input.place, {}, fmt::format("'{}' does not exist: planned as 'expect' describes it", file))));
      return expected_source(input);
    }
    return open_files(input, plan_.spec.execution.on_bad_map, plan_.spec.execution.memory_limit);
  };
  std::shared_ptr<const Source> source = open();
  for (const auto& [file, content] : source->seen()) note(file, content);
  return plan_.opened->sources.emplace_back(std::move(source));
}

void PlanBuilder::inputs() {
  for (std::size_t i = 0; i < plan_.spec.inputs.size(); ++i) {
    const InputSpec& input = plan_.spec.inputs[i];
    PlannedInput planned;
    planned.source = source_of(input, i);
    const Described& described = planned.source->described();
    InputValue made = input_value(input, described);
    if (input.file.empty() && (made.lmax != described.lmax || made.mmax != described.mmax) &&
        input.sort == ValueSort::kAlm)
      refuse(input.place, input.lmax ? "lmax" : "mmax", fmt::format("{}", input.lmax ? *input.lmax : *input.mmax),
             fmt::format("cannot truncate a value in memory, which has lmax {}, mmax {}: use the step resize",
                         described.lmax, described.mmax));
    planned.components = std::move(made.components);
    planned.states_spin = std::move(made.states_spin);

    ValueInfo value;
    value.name = input.name;
    value.sort = input.sort;
    value.kind = std::move(made.kind);
    value.units = std::move(made.units);
    value.coordsys = described.metadata.coordsys;
    value.per_item = !input.items.empty();
    value.has_bad = input.bad_data == BadDataPolicy::kKeep;
    if (described.grid) value.pixels = pixels(described.grid);
    if (input.sort == ValueSort::kAlm) value.alm = alm(made.lmax, made.mmax);
    if (has_points(input.sort))
      value.catalogue =
          std::make_shared<const Catalogue>(Catalogue{planned.source->text(0), described.points, described.own_points});
    if (described.table) {
      value.spectra = described.table->names;
      value.spectra_lmax = described.table->lmax;
      if (!value.per_item) value.table = described.table;
    }
    value.is_borrowed = can_borrow(input, planned, value);

    ValueInfo good = mask_of_good_pixels(input, value);
    planned.value = add(input.place, std::move(value));
    if (!input.good_pixels.empty()) planned.good_pixels = add(input.place, std::move(good));
    plan_.inputs.push_back(std::move(planned));
  }
}

}  // namespace armilla::job

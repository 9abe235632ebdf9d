#include <armilla/job/plan/input_fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

const std::vector<std::string>& names_of(const ValueInfo& value) {
  return value.sort == ValueSort::kAlm ? value.kind.alm_names() : value.kind.map_names();
}

bool is_field(const ValueInfo& value) {
  return !value.is_table() && value.sort != ValueSort::kPoints && value.kind.components() > 0;
}

std::string part_text(const std::vector<std::string>& names, const transform::SpinField& part, bool is_stated) {
  const auto* first = &names[core::at(part.first)];
  if (!is_stated) return fmt::format("{} (spin not stated: a scalar)", *first);
  return fmt::format("{} (spin {})", fmt::join(first, first + part.components, ", "), part.spin);
}

}  // namespace

std::vector<std::string> input_fields_text(const JobPlan& plan) {
  std::vector<std::string> texts;
  for (const PlannedInput& input : plan.inputs) {
    const ValueInfo& value = plan.values[input.value];
    if (!is_field(value)) continue;
    std::vector<std::string> parts;
    for (const transform::SpinField& part : value.kind.spin_fields())
      parts.push_back(part_text(names_of(value), part, input.states_spin[core::at(part.first)]));
    texts.push_back(fmt::format("input '{}': {}{}", value.name, fmt::join(parts, ", "),
                                input.source->described().metadata.polcconv == "IAU" ? ", converted from IAU" : ""));
  }
  return texts;
}

nlohmann::json input_fields_json(const JobPlan& plan) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const PlannedInput& input : plan.inputs) {
    const ValueInfo& value = plan.values[input.value];
    if (!is_field(value)) continue;
    nlohmann::json fields = nlohmann::json::array();
    const std::vector<Index> spins = value.kind.spins();
    for (std::size_t c = 0; c < spins.size(); ++c)
      fields.push_back({{"field", names_of(value)[c]}, {"spin", spins[c]}, {"stated", bool(input.states_spin[c])}});
    const std::string& polcconv = input.source->described().metadata.polcconv;
    inputs.push_back({{"input", value.name},
                      {"polcconv", polcconv.empty() ? nlohmann::json() : nlohmann::json(polcconv)},
                      {"fields", fields}});
  }
  return inputs;
}

}  // namespace armilla::job

#include <armilla/core/error.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/choose_fields.hpp>
#include <armilla/job/value/input_value.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// The limit from the job, which must not exceed that of the source.
Index cut(const InputSpec& input, const char* key, const std::optional<Index>& asked, Index in_source) {
  if (asked && *asked > in_source)
    refuse(input.place, key, fmt::format("{}", *asked),
           fmt::format("exceeds {} = {} of {}: lower it", key, in_source, source_of(input)));
  return asked.value_or(in_source);
}

/// The fields of spectra, from the names of their auto spectra. E and B are polarisation.
transform::FieldKind kind_of_spectra(const alm::SpectraTable& table) {
  std::vector<std::string> fields;
  for (const std::string& name : table.names)
    if (name.size() == 2 && name[0] == name[1]) fields.push_back(name.substr(0, 1));
  const auto has = [&](const char* field) { return std::ranges::find(fields, field) != fields.end(); };
  std::vector<transform::FieldKind> parts;
  for (const std::string& field : fields) {
    const bool is_pair = has("E") && has("B");
    if (field == "E" && is_pair) parts.push_back(transform::FieldKind::polarisation());
    if ((field != "E" && field != "B") || !is_pair) parts.push_back(transform::FieldKind::scalar(field));
  }
  return transform::FieldKind::joined(parts);
}

/// The components of a pair are one field. Throws InputError if their units differ, as those of humidity and wind do.
void check_units_of_pairs(const InputSpec& input, const transform::FieldKind& kind,
                          const std::vector<std::string>& units) {
  for (const transform::SpinField& part : kind.spin_fields()) {
    if (part.components < 2) continue;
    const std::string &first = units[core::at(part.first)], &second = units[core::at(part.first + 1)];
    if (first == second || first.empty() || second.empty()) continue;
    complain(input.place, {},
             fmt::format("reads {} and {} from {} as a pair of spin {}, but their units are {} and {}: set {} if they "
                         "are scalars, or correct the units with {}",
                         kind.map_names()[core::at(part.first)], kind.map_names()[core::at(part.first + 1)],
                         source_of(input), part.spin, first, second, core::mention("", "spin", "0"),
                         core::mention("", "units", fmt::format("{{force: {}}}", first))),
             core::ErrorContext::Form::kPredicate);
  }
}

/// The units that the job states, one per component. Those of the source must be equal or absent, unless overridden.
std::vector<std::string> agreed_units(const InputSpec& input, const std::vector<std::string>& in_source) {
  std::vector<std::string> units = input.units->value;
  if (units.size() == 1) units.assign(in_source.size(), units.front());
  const std::string stated = input.units->value.size() == 1 ? input.units->value.front()
                                                            : fmt::format("[{}]", fmt::join(input.units->value, ", "));
  if (units.size() != in_source.size())
    refuse(input.place, "units", stated,
           fmt::format("has {} units for {} components: state one for each, or one for all", units.size(),
                       in_source.size()));
  for (std::size_t c = 0; c < units.size(); ++c)
    if (!in_source[c].empty() && in_source[c] != units[c] && !input.units->is_forced)
      io::refuse_contradiction(source_of(input), "units", "the units", stated,
                               fmt::format("[{}]", fmt::join(in_source, ", ")));
  return units;
}

InputValue field_value(const InputSpec& input, const Described& described) {
  ChosenFields chosen = choose_fields(input, described);
  InputValue value;
  for (const Index component : chosen.components) value.units.push_back(described.metadata.unit(core::at(component)));
  if (input.units) value.units = agreed_units(input, value.units);
  check_units_of_pairs(input, chosen.kind, value.units);
  value.kind = std::move(chosen.kind);
  value.components = std::move(chosen.components);
  value.states_spin = std::move(chosen.states_spin);
  return value;
}

}  // namespace

bool same_grid(const grid::RingGrid& a, const grid::RingGrid& b) {
  return a.description().kind == b.description().kind && a.same_pixels(b) && a.has_weights() == b.has_weights() &&
         std::ranges::equal(a.rings(), b.rings(), {}, &grid::Ring::weight, &grid::Ring::weight);
}

void check_facts(const std::string& name, const std::vector<std::string>& units, const std::string& coordsys,
                 Index components) {
  if (!units.empty() && static_cast<Index>(units.size()) != components)
    throw core::InputError(fmt::format("'{}': {} units for {} components: specify one per component, or none", name,
                                       units.size(), components));
  if (!coordsys.empty() && coordsys != "G" && coordsys != "E" && coordsys != "C")
    throw core::InputError(fmt::format(
        "'{}': coordsys = '{}' is not 'G', 'E' or 'C': use one of these, or leave it empty", name, coordsys));
}

void check_convention(const alm::Convention& convention, const std::string& name, const transform::FieldKind& kind,
                      Index lmax) {
  if (convention.norm != alm::Norm::kUnnormalised) return;
  if (kind.max_spin() > 0)
    throw core::InputError(fmt::format("'{}' has components of spin {}, for which there is no unnormalised convention",
                                       name, kind.max_spin()));
  if (lmax > alm::kUnnormalisedLmax)
    throw core::InputError(
        fmt::format("unnormalised coefficients with lmax = {} exceed the range of double precision, which suffices up "
                    "to lmax = {}: use another norm",
                    lmax, alm::kUnnormalisedLmax));
}

transform::FieldKind kind_of(const FieldsSpec& fields, const Place& place) {
  return at_place(place, [&] {
    if (fields.spin) return transform::FieldKind::spin(*fields.spin);
    return transform::FieldKind::from_names(fields.names, fields.spins);
  });
}

InputValue input_value(const InputSpec& input, const Described& described) {
  if (described.sort != input.sort)
    complain(input.place, {},
             fmt::format("is used as {}, but {} is {}: name another input", sort_name(input.sort), source_of(input),
                         sort_name(described.sort)),
             core::ErrorContext::Form::kPredicate);
  if (input.sort == ValueSort::kPoints) return {};
  if (described.table)
    return {.kind = input.sort == ValueSort::kSpectra ? kind_of_spectra(*described.table) : transform::FieldKind(),
            .units = {described.table->unit}};
  return at_place(input.place, [&] {
    if (input.sort == ValueSort::kValues && described.components == 0)
      throw core::InputError(fmt::format("{} has points but no values: use it as an input 'points'", source_of(input)));
    Index lmax = 0, mmax = 0;
    if (input.sort == ValueSort::kAlm) {
      lmax = cut(input, "lmax", input.lmax, described.lmax);
      mmax = std::min(lmax, described.mmax);
      if (input.mmax) mmax = cut(input, "mmax", input.mmax, mmax);
    }
    InputValue value = field_value(input, described);
    value.lmax = lmax;
    value.mmax = mmax;
    if (input.sort == ValueSort::kAlm) check_convention(described.convention, input.name, value.kind, lmax);
    return value;
  });
}

}  // namespace armilla::job

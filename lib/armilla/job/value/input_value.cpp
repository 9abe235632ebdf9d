#include <armilla/core/error.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/column_names.hpp>
#include <armilla/job/value/input_value.hpp>
#include <armilla/transform/file_fields.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

/// How messages name the source of an input.
std::string source_of(const InputSpec& input) { return input.file.empty() ? "'" + input.name + "'" : input.file; }

/// The components of a source, with `names` (or empty), that make a field of this kind.
std::vector<Index> choose_components(const InputSpec& input, const transform::FieldKind& kind, Index components,
                                     const std::vector<std::string>& names) {
  const bool by_number = input.fields.spin.has_value() || !input.catalogue.columns.values.empty();
  std::vector<Index> chosen = transform::choose_components(kind, components, names, by_number);
  if (static_cast<Index>(chosen.size()) != kind.components())
    complain(input.place, {},
             fmt::format("requests {} from {}, which has {}: set 'fields' to components of the file, or 'spin' for "
                         "two components",
                         input.fields.spin ? fmt::format("spin {}", *input.fields.spin)
                                           : fmt::format("fields {}", fmt::join(input.fields.names, ", ")),
                         source_of(input),
                         names.empty() ? fmt::format("{} components without names", components)
                                       : fmt::format("{}", fmt::join(names, ", "))),
             core::ErrorContext::Form::kPredicate);
  return chosen;
}

/// The kind of a field that the job does not specify.
transform::FieldKind kind_of_source(const InputSpec& input, const Described& described) {
  const std::vector<std::string>& names = described.metadata.fields;
  try {
    return transform::kind_of_file(described.components, names, described.metadata.spins);
  } catch (const core::InputError& error) {
    if (names.empty())
      complain(input.place, {},
               fmt::format("{} has {} components without names: identify them with 'fields: [Q, U]' or 'spin: s'",
                           source_of(input), described.components));
    complain(input.place, {},
             fmt::format("{} has the components {}: select some with 'fields' or 'spin' ({})", source_of(input),
                         fmt::join(names, ", "), error.what()));
  }
}

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

InputValue field_value(const InputSpec& input, const Described& described) {
  const io::FieldMetadata& metadata = described.metadata;
  InputValue value;
  // A single scalar keeps the name in its file.
  const bool lone_scalar = input.fields.spin == Index{0} && described.components == 1;
  const transform::FieldKind kind = input.fields.given() && !lone_scalar
                                        ? kind_of(resolve_columns(input.fields, metadata.fields), input.place)
                                        : kind_of_source(input, described);
  value.components = choose_components(input, kind, described.components, metadata.fields);
  value.kind = named_for_results(kind);
  for (const Index component : value.components) value.units.push_back(metadata.unit(core::at(component)));
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

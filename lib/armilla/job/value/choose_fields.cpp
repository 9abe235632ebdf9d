#include <armilla/core/error.hpp>
#include <armilla/io/component_spins.hpp>
#include <armilla/io/field_names.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/value/choose_fields.hpp>
#include <armilla/transform/file_fields.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job {

namespace {

using transform::FieldKind;

/// Names that the same component may have in the source: E, B of coefficients are Q, U of a map, and E_X is X.
std::vector<std::string> other_names(const std::string& name, ValueSort sort) {
  if (sort == ValueSort::kAlm) {
    std::vector<std::string> names{"E_" + name, "B_" + name};
    if (name == "Q") names.emplace_back("E");
    if (name == "U") names.emplace_back("B");
    return names;
  }
  if (name == "E") return {"Q"};
  if (name == "B") return {"U"};
  if (name.starts_with("E_") || name.starts_with("B_")) return {name.substr(2)};
  return {};
}

/// Chooses the components of one source.
class FieldChooser {
 public:
  FieldChooser(const InputSpec& input, const Described& described)
      : input_(input), described_(described), metadata_(described.metadata) {}

  ChosenFields choose() {
    const FieldsSpec& asked = input_.fields;
    if (!input_.columns.empty()) return those_of_columns();
    const bool is_lone = described_.components == 1;
    if (!asked.given() || (asked.spin == Index{0} && is_lone)) return those_of_source();
    if (asked.spin) return those_of_spin(*asked.spin);
    // The names are those of the columns in `value_columns`, or of the only component.
    const bool by_number = is_lone || !input_.places.values.empty();
    if (by_number && asked.names.size() == core::at(described_.components)) return by_position();
    return by_name(asked);
  }

 private:
  ChosenFields those_of_source() const {
    ChosenFields chosen{.kind = kind_of_source(), .components = all()};
    for (const Index c : chosen.components)
      chosen.states_spin.push_back(input_.fields.spin || io::spin_of(metadata_, core::at(c)) != io::kUnknownSpin);
    return named_for_results(in_pair_order(chosen));
  }

  ChosenFields those_of_spin(Index spin) const {
    ChosenFields chosen{.kind = FieldKind::spin(spin)};
    chosen.states_spin.assign(core::at(chosen.kind.components()), true);
    if (described_.components == chosen.kind.components())
      chosen.components = all();
    else
      for (const std::string& name : chosen.kind.map_names())
        if (const auto component = find(name)) chosen.components.push_back(*component);
    if (chosen.components.size() != core::at(chosen.kind.components())) chosen.components = pair_of_spin(spin);
    if (chosen.components.empty()) refuse_missing(fmt::format("spin {}", spin));
    order_pairs(chosen);
    return named_for_results(chosen);
  }

  ChosenFields by_position() const {
    FieldsSpec asked = input_.fields;
    if (described_.components == 1 && asked.spins[0] == FieldKind::kByName) asked.spins[0] = 0;
    ChosenFields chosen{.kind = FieldKind::from_names(asked.names, asked.spins), .components = all()};
    const bool states = described_.components > 1 || input_.fields.spins[0] != FieldKind::kByName ||
                        io::spin_of(metadata_, 0) != io::kUnknownSpin;
    chosen.states_spin.assign(chosen.components.size(), states);
    return named_for_results(in_pair_order(chosen));
  }

  /// The columns that `columns` lists, named by `fields` if these are given.
  ChosenFields those_of_columns() const {
    const std::vector<std::string>& columns = input_.columns;
    const FieldsSpec& asked = input_.fields;
    if (!asked.given())
      return by_name({.names = columns, .spins = std::vector<Index>(columns.size(), FieldKind::kByName), .spin = {}});
    ChosenFields chosen{.kind = asked.spin ? FieldKind::spin(*asked.spin)
                                           : FieldKind::from_names(asked.names, asked.spins)};
    if (chosen.kind.components() != static_cast<Index>(columns.size()))
      complain(
          input_.place, "columns",
          fmt::format("lists {} columns for {} fields: list one for each", columns.size(), chosen.kind.components()));
    for (const std::string& column : columns) {
      const auto component = find(column);
      if (!component) refuse_missing(fmt::format("columns {}", fmt::join(columns, ", ")));
      chosen.components.push_back(*component);
    }
    chosen.states_spin.assign(columns.size(), true);
    if (!asked.spin) return named_for_results(in_pair_order(chosen));
    order_pairs(chosen);
    return named_for_results(chosen);
  }

  ChosenFields by_name(const FieldsSpec& asked) const {
    ChosenFields chosen;
    std::vector<std::string> names;
    std::vector<Index> spins;
    // Beside a stated pair, the others are scalars.
    const bool states_pairs = std::ranges::any_of(asked.spins, [](Index spin) { return spin > 0; });
    for (std::size_t i = 0; i < asked.names.size(); ++i) {
      const auto component = find(asked.names[i]);
      if (!component) refuse_missing(fmt::format("fields {}", fmt::join(asked.names, ", ")));
      const Index of_source = io::spin_of(metadata_, core::at(*component));
      const Index spin = asked.spins[i] != FieldKind::kByName ? asked.spins[i] : of_source;
      chosen.components.push_back(*component);
      chosen.states_spin.push_back(spin != io::kUnknownSpin || states_pairs);
      names.push_back(metadata_.fields[core::at(*component)]);
      spins.push_back(spin);
    }
    for (std::size_t i = 0; i + 1 < names.size(); ++i)
      if (!chosen.states_spin[i] && !chosen.states_spin[i + 1])
        if (const auto spin = transform::spin_of_pair(asked.names[i], asked.names[i + 1]))
          ask_for_spin(asked.names[i], asked.names[i + 1], *spin);
    std::ranges::replace(spins, io::kUnknownSpin, Index{0});
    FieldKind::from_names(asked.names, spins);  // its errors name the fields as the job does
    chosen.kind = FieldKind::from_names(names, spins);
    return named_for_results(in_pair_order(chosen));
  }

  std::vector<Index> all() const {
    std::vector<Index> components(core::at(described_.components));
    std::iota(components.begin(), components.end(), Index{0});
    return components;
  }

  /// The component of that name, or of another name of it. Throws InputError for an ambiguous name.
  std::optional<Index> find(const std::string& name) const {
    std::vector<Index> found = io::components_named(metadata_, name);
    for (const std::string& other : other_names(name, described_.sort))
      if (found.empty()) found = io::components_named(metadata_, other);
    if (found.size() > 1)
      complain(input_.place, {},
               fmt::format("the field '{}' is ambiguous, because {} has the columns {}: use the name of one of them",
                           name, source_of(input_), io::names_of(metadata_, found)));
    return found.empty() ? std::nullopt : std::optional(found.front());
  }

  /// The only pair of that spin whose spin the source states; otherwise empty.
  std::vector<Index> pair_of_spin(Index spin) const {
    std::vector<Index> pair;
    for (std::size_t c = 0; c < metadata_.spins.size(); ++c)
      if (spin > 0 && metadata_.spins[c] == spin) pair.push_back(static_cast<Index>(c));
    return pair.size() == 2 ? pair : std::vector<Index>();
  }

  FieldKind kind_of_source() const {
    try {
      return transform::kind_of_file(metadata_.fields, metadata_.spins);
    } catch (const core::InputError& error) {
      if (const std::vector<std::string> known = names_of_known_spin(); !known.empty())
        complain(
            input_.place, {},
            fmt::format("{} has the components {}, of which some have no known spin: select components, such as {}",
                        source_of(input_), names_in_source(),
                        core::mention("", "fields", fmt::format("[{}]", fmt::join(known, ", ")))));
      complain(
          input_.place, {},
          fmt::format("{} has the components {}: select some with {}, and set {} if the last two of them are a pair "
                      "({})",
                      source_of(input_), names_in_source(), core::mention("", "fields"), core::mention("", "spin"),
                      error.what()));
    }
  }

  /// The components whose spin the source states, if these are complete fields and not all; otherwise empty.
  std::vector<std::string> names_of_known_spin() const {
    std::vector<std::string> names;
    std::vector<Index> spins;
    for (std::size_t c = 0; c < metadata_.fields.size(); ++c)
      if (io::spin_of(metadata_, c) != io::kUnknownSpin) {
        names.push_back(metadata_.fields[c]);
        spins.push_back(metadata_.spins[c]);
      }
    const std::size_t count = metadata_.fields.size();
    if (names.empty() || names.size() == count) return {};
    const auto is_unknown = [&](std::size_t c) { return io::spin_of(metadata_, c) == io::kUnknownSpin; };
    if (count > 2 && is_unknown(count - 2) && is_unknown(count - 1)) return {};  // which may be a pair
    try {
      static_cast<void>(transform::kind_of_file(names, spins));
      return names;
    } catch (const core::InputError&) {
      return {};
    }
  }

  std::string names_in_source() const { return io::names_of(metadata_, all()); }

  [[noreturn]] void refuse_missing(const std::string& requested) const {
    complain(
        input_.place, {},
        fmt::format("requests {} from {}, which has {}: set {} to components of the file, and {} if the last two of "
                    "them are a pair",
                    requested, source_of(input_), names_in_source(), core::mention("", "fields"),
                    core::mention("", "spin")),
        core::ErrorContext::Form::kPredicate);
  }

  [[noreturn]] void ask_for_spin(const std::string& first, const std::string& second, Index spin) const {
    complain(
        input_.place, {},
        fmt::format("reads {}, {} from {}, which does not state whether they are a pair of spin {} or two scalars: "
                    "set {} or {}",
                    first, second, source_of(input_), spin, core::mention("", "spin", fmt::format("{}", spin)),
                    core::mention("", "spin", "0")),
        core::ErrorContext::Form::kPredicate);
  }

  /// Swaps the components of pairs that the source has in the other order, as U, Q. Returns their positions.
  std::vector<std::size_t> order_pairs(ChosenFields& chosen) const {
    std::vector<std::size_t> swapped;
    for (const transform::SpinField& part : chosen.kind.spin_fields()) {
      const std::size_t first = core::at(part.first);
      if (part.components != 2 ||
          !io::are_reversed(metadata_, core::at(chosen.components[first]), core::at(chosen.components[first + 1])))
        continue;
      std::swap(chosen.components[first], chosen.components[first + 1]);
      swapped.push_back(first);
    }
    return swapped;
  }

  /// order_pairs(), with the names of the components. Throws InputError if the job gives them the names of the other.
  ChosenFields in_pair_order(ChosenFields chosen) const {
    const std::vector<std::size_t> swapped = order_pairs(chosen);
    if (swapped.empty()) return chosen;
    std::vector<std::string> names = chosen.kind.map_names();
    for (const std::size_t first : swapped) {
      if (io::stokes_of_column(names[first]) == "Q")
        complain(input_.place, {},
                 fmt::format("gives the names {}, {} to {} of {}, which are U and Q: list them in the other order",
                             names[first], names[first + 1],
                             io::names_of(metadata_, {chosen.components[first + 1], chosen.components[first]}),
                             source_of(input_)),
                 core::ErrorContext::Form::kPredicate);
      std::swap(names[first], names[first + 1]);
    }
    chosen.kind = FieldKind::from_names(names, chosen.kind.spins());
    return chosen;
  }

  ChosenFields named_for_results(ChosenFields chosen) const {
    std::vector<FieldKind> parts;
    std::set<std::string> names;
    bool changed = false;
    const auto take = [&](const std::string& name, bool is_stokes) {
      const std::string result = is_stokes ? io::stokes_of_column(name) : name;
      changed = changed || result != name;
      names.insert(result);
      return result;
    };
    for (const transform::SpinField& part : chosen.kind.spin_fields()) {
      const std::string* first = &chosen.kind.map_names()[core::at(part.first)];
      if (part.components == 1) {
        // Without columns, other names of T denote arbitrary scalars, such as an air temperature.
        const auto column = core::at(chosen.components[core::at(part.first)]);
        const bool is_t = column < metadata_.columns.size() && io::stokes_of_column(metadata_.columns[column]) == "T";
        parts.push_back(FieldKind::scalar(take(*first, is_t)));
        continue;
      }
      const bool is_polarisation =
          part.spin == 2 && io::stokes_of_column(first[0]) == "Q" && io::stokes_of_column(first[1]) == "U";
      const std::string q = take(first[0], is_polarisation);
      parts.push_back(FieldKind::pair(part.spin, q, take(first[1], is_polarisation)));
    }
    const bool is_unique = static_cast<Index>(names.size()) == chosen.kind.components();
    if (changed && is_unique) chosen.kind = FieldKind::joined(parts);
    return chosen;
  }

  const InputSpec& input_;
  const Described& described_;
  const io::FieldMetadata& metadata_;
};

}  // namespace

ChosenFields choose_fields(const InputSpec& input, const Described& described) {
  return FieldChooser(input, described).choose();
}

std::string source_of(const InputSpec& input) { return input.file.empty() ? "'" + input.name + "'" : input.file; }

}  // namespace armilla::job

#include <armilla/io/field_names.hpp>
#include <armilla/job/value/column_names.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace armilla::job {

namespace {

// In HDF5, other names of T denote arbitrary scalars, such as an air temperature.
bool is_inpainted_t(const std::string& name) {
  return io::stokes_of_column(name) == "T" && io::field_of_column(name) != "T";
}

}  // namespace

FieldsSpec resolve_columns(FieldsSpec asked, std::span<const std::string> file_fields) {
  for (std::size_t i = 0; i < asked.names.size(); ++i) {
    std::string& name = asked.names[i];
    const std::string field = io::field_of_column(name);
    const bool is_column = std::ranges::count(file_fields, name) == 0 && std::ranges::count(file_fields, field) > 0;
    if (is_column) name = field;
  }
  constexpr Index kByName = transform::FieldKind::kByName;
  for (std::size_t i = 0; i + 1 < asked.names.size(); ++i) {
    const bool by_name = asked.spins[i] == kByName && asked.spins[i + 1] == kByName;
    if (by_name && io::stokes_of_column(asked.names[i]) == "Q" && io::stokes_of_column(asked.names[i + 1]) == "U")
      asked.spins[i] = asked.spins[i + 1] = 2;
  }
  return asked;
}

transform::FieldKind named_for_results(const transform::FieldKind& kind) {
  using transform::FieldKind;
  std::vector<FieldKind> parts;
  std::set<std::string> names;
  bool changed = false;
  const auto take = [&](const std::string& name, bool is_stokes) {
    const std::string result = is_stokes ? io::stokes_of_column(name) : name;
    changed = changed || result != name;
    names.insert(result);
    return result;
  };
  for (const transform::SpinField& part : kind.spin_fields()) {
    const std::string* first = &kind.map_names()[static_cast<std::size_t>(part.first)];
    if (part.components == 1) {
      parts.push_back(FieldKind::scalar(take(*first, is_inpainted_t(*first))));
      continue;
    }
    const bool is_polarisation =
        part.spin == 2 && io::stokes_of_column(first[0]) == "Q" && io::stokes_of_column(first[1]) == "U";
    const std::string q = take(first[0], is_polarisation);
    parts.push_back(FieldKind::pair(part.spin, q, take(first[1], is_polarisation)));
  }
  const bool is_unique = static_cast<Index>(names.size()) == kind.components();
  return changed && is_unique ? FieldKind::joined(parts) : kind;
}

}  // namespace armilla::job

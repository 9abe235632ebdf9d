#include <armilla/core/error.hpp>
#include <armilla/transform/file_fields.hpp>

#include <numeric>

namespace armilla::transform {

namespace {

// I is an alternative name of T.
std::string plain(const std::string& name) { return name == "I" ? "T" : name; }

}  // namespace

FieldKind kind_of_file(Index components, std::span<const std::string> names, std::span<const Index> spins) {
  if (components == 1) return FieldKind::scalar(names.empty() || names[0].empty() ? "T" : names[0]);
  const FieldKind whole = FieldKind::temperature_polarisation();
  if (names.empty()) {
    if (components == whole.components()) return whole;
    throw core::InputError("they have no names");
  }
  FieldKind kind = FieldKind::from_names(names, spins);
  if (spins.empty() && kind.spin_fields().size() > 1 && kind.map_names() != whole.map_names())
    throw core::InputError("their spins are unspecified");
  return kind;
}

std::vector<Index> choose_components(const FieldKind& kind, Index components, std::span<const std::string> names,
                                     bool by_number) {
  std::vector<Index> chosen;
  if (components == kind.components() && (names.empty() || components == 1 || by_number)) {
    chosen.resize(static_cast<std::size_t>(components));
    std::iota(chosen.begin(), chosen.end(), Index{0});
    return chosen;
  }
  for (std::size_t c = 0; c < kind.map_names().size(); ++c)
    for (std::size_t i = 0; i < names.size(); ++i)
      if (plain(names[i]) == plain(kind.map_names()[c]) || plain(names[i]) == plain(kind.alm_names()[c])) {
        chosen.push_back(static_cast<Index>(i));
        break;
      }
  return chosen;
}

}  // namespace armilla::transform

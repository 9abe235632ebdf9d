#include <armilla/core/error.hpp>
#include <armilla/transform/file_fields.hpp>

#include <algorithm>
#include <vector>

namespace armilla::transform {

FieldKind kind_of_file(std::span<const std::string> names, std::span<const Index> spins) {
  if (names.size() == 1) return FieldKind::scalar(names[0].empty() ? "T" : names[0]);
  if (spins.size() != names.size() || std::ranges::any_of(spins, [](Index spin) { return spin < 0; }))
    throw core::InputError("their spins are unspecified");
  return FieldKind::from_names(names, spins);
}

std::optional<Index> spin_of_pair(const std::string& first, const std::string& second) {
  try {
    const FieldKind kind = FieldKind::from_names(std::vector<std::string>{first, second});
    return kind.spin_fields().size() == 1 ? std::optional(kind.max_spin()) : std::nullopt;
  } catch (const core::InputError&) {  // half of another pair
    return std::nullopt;
  }
}

}  // namespace armilla::transform

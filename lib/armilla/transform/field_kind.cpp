#include <armilla/core/error.hpp>
#include <armilla/transform/field_kind.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace armilla::transform {

namespace {

constexpr std::string_view kGradientPrefix = "E_";
constexpr std::string_view kCurlPrefix = "B_";

// Far above the degrees of transforms, so that sums of spins and degrees do not overflow.
constexpr Index kLargestSpin = Index{1} << 20;

// Spin in names such as RE3 and IM3; std::nullopt for other names.
std::optional<Index> numbered_spin(std::string_view name, std::string_view prefix) {
  Index spin = 0;
  if (!name.starts_with(prefix)) return std::nullopt;
  const char* end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + prefix.size(), end, spin);
  if (error != std::errc() || last != end || spin < 1) return std::nullopt;
  return spin;
}

using Pair = std::pair<std::string, std::string>;

// Whether the names are those of coefficients E_X, B_Y, which do not contain the spin.
bool are_coefficients(const std::string& first, const std::string& second) {
  return first.starts_with(kGradientPrefix) && second.starts_with(kCurlPrefix);
}

// Returns X, Y for E_X, B_Y; other names are unchanged.
Pair map_pair(const std::string& first, const std::string& second) {
  if (are_coefficients(first, second)) return {first.substr(kGradientPrefix.size()), second.substr(kCurlPrefix.size())};
  return {first, second};
}

// Spin of two names; std::nullopt if the names alone do not identify a pair.
std::optional<Index> spin_of_names(const Pair& names) {
  for (const auto& [pair, spin] :
       {std::pair<Pair, Index>{{"Q", "U"}, 2}, {{"E", "B"}, 2}, {{"U", "V"}, 1}, {{"V_THETA", "V_PHI"}, 1}})
    if (names == pair) return spin;
  const auto first = numbered_spin(names.first, "RE");
  const auto second = numbered_spin(names.second, "IM");
  return first && first == second ? first : std::nullopt;
}

// The known pairs that contain a name, as text. Empty for V, which on its own is a scalar (circular polarisation).
std::vector<std::string> pairs_of(const std::string& name) {
  if (name == "Q") return {"Q, U"};
  if (name == "U") return {"Q, U", "U, V"};
  if (name == "E" || name == "B") return {"E, B"};
  if (name == "V_THETA" || name == "V_PHI") return {"V_THETA, V_PHI"};
  for (const std::string_view prefix : {"RE", "IM"})
    if (const auto spin = numbered_spin(name, prefix)) return {fmt::format("RE{0}, IM{0}", *spin)};
  return {};
}

[[noreturn]] void refuse_half(const std::vector<std::string>& names, const std::string& half) {
  const std::vector<std::string> pairs = pairs_of(half);
  const std::string what =
      fmt::format("fields [{}] are not a known combination: {} is half of a pair", fmt::join(names, ", "), half);
  if (!pairs.empty())
    throw core::InputError(fmt::format("{}: specify both, as {} in this order, or spin 0 to treat {} as a scalar", what,
                                       fmt::join(pairs, " or "), half));
  throw core::InputError(
      fmt::format("{}: specify both components of the pair, or spin 0 to treat {} as a scalar", what, half));
}

}  // namespace

FieldKind::FieldKind(Index spin, std::vector<std::string> map_names, std::vector<std::string> alm_names)
    : spin_fields_{{spin, 0, static_cast<Index>(map_names.size())}},
      map_names_(std::move(map_names)),
      alm_names_(std::move(alm_names)) {}

FieldKind FieldKind::scalar(std::string name) { return {0, {name}, {name}}; }

FieldKind FieldKind::polarisation() { return {2, {"Q", "U"}, {"E", "B"}}; }

FieldKind FieldKind::temperature_polarisation() {
  const FieldKind both[] = {scalar(), polarisation()};
  return joined(both);
}

FieldKind FieldKind::spin(Index spin) {
  if (spin < 0 || spin > kLargestSpin)
    throw core::InputError(fmt::format("spin = {}: use a spin from 0 to {}", spin, kLargestSpin));
  if (spin == 0) return scalar();
  if (spin == 2) return polarisation();
  return {spin, {fmt::format("RE{}", spin), fmt::format("IM{}", spin)}, {"E", "B"}};
}

FieldKind FieldKind::wind() { return pair(1, "U", "V"); }

FieldKind FieldKind::vector() { return pair(1, "V_THETA", "V_PHI"); }

FieldKind FieldKind::pair(Index spin, const std::string& first, const std::string& second) {
  if (spin < 1 || spin > kLargestSpin)
    throw core::InputError(
        fmt::format("spin = {} of the fields {}, {}: use a spin from 1 to {}", spin, first, second, kLargestSpin));
  const auto names = map_pair(first, second);
  const bool unnamed = names == Pair{"E", "B"} || (spin == 2 && names == Pair{"Q", "U"});
  if (unnamed) return FieldKind::spin(spin);
  return {spin,
          {names.first, names.second},
          {std::string(kGradientPrefix) + names.first, std::string(kCurlPrefix) + names.second}};
}

FieldKind FieldKind::joined(std::span<const FieldKind> kinds) {
  if (kinds.size() == 1) return kinds.front();
  FieldKind all;
  for (const FieldKind& kind : kinds) {
    for (const SpinField& spin_field : kind.spin_fields_) {
      const std::string* names = &kind.map_names_[static_cast<std::size_t>(spin_field.first)];
      const FieldKind one = spin_field.spin == 0 ? scalar(names[0]) : pair(spin_field.spin, names[0], names[1]);
      all.spin_fields_.push_back({spin_field.spin, all.components(), spin_field.components});
      all.map_names_.insert(all.map_names_.end(), one.map_names_.begin(), one.map_names_.end());
      all.alm_names_.insert(all.alm_names_.end(), one.alm_names_.begin(), one.alm_names_.end());
    }
  }
  for (const auto* names : {&all.map_names_, &all.alm_names_})
    for (const std::string& name : *names)
      if (std::ranges::count(*names, name) > 1)
        throw core::InputError(
            fmt::format("fields [{}] contain the name {} twice: use different names", fmt::join(*names, ", "), name));
  return all;
}

FieldKind FieldKind::from_names(std::span<const std::string> names, std::span<const Index> spins) {
  std::vector<std::string> list(names.begin(), names.end());
  for (std::string& name : list)
    if (name == "I") name = "T";
  const auto spin_at = [&](std::size_t i) { return i < spins.size() ? spins[i] : kByName; };
  std::vector<FieldKind> kinds;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool two = i + 1 < list.size() && spin_at(i) == spin_at(i + 1);
    std::optional<Index> spin;
    if (spin_at(i) > 0)
      spin = spin_at(i);
    else if (two && spin_at(i) == kByName)
      spin = spin_of_names(map_pair(list[i], list[i + 1]));
    if (spin && two) {
      kinds.push_back(pair(*spin, list[i], list[i + 1]));
      ++i;
    } else if (spin || (spin_at(i) == kByName &&
                        (!pairs_of(list[i]).empty() || (two && are_coefficients(list[i], list[i + 1]))))) {
      refuse_half(list, list[i]);
    } else {
      kinds.push_back(scalar(list[i]));
    }
  }
  if (kinds.empty()) throw core::InputError("fields [] is empty: specify at least one field");
  return joined(kinds);
}

std::vector<Index> FieldKind::spins() const {
  std::vector<Index> result;
  for (const SpinField& spin_field : spin_fields_)
    result.insert(result.end(), static_cast<std::size_t>(spin_field.components), spin_field.spin);
  return result;
}

Index FieldKind::max_spin() const {
  Index spin = 0;
  for (const SpinField& spin_field : spin_fields_) spin = std::max(spin, spin_field.spin);
  return spin;
}

}  // namespace armilla::transform

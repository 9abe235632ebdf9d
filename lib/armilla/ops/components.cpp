#include <armilla/core/error.hpp>
#include <armilla/ops/components.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::ops {

namespace {

using transform::FieldKind;

const std::vector<std::string>& names_of(const FieldKind& kind, ComponentNames called) {
  return called == ComponentNames::kMap ? kind.map_names() : kind.alm_names();
}

bool has(std::span<const Index> components, Index component) {
  return std::ranges::find(components, component) != components.end();
}

}  // namespace

std::vector<Index> find_components(const FieldKind& kind, std::span<const std::string> names, ComponentNames called) {
  const std::vector<std::string>& known = names_of(kind, called);
  if (names.empty())
    throw core::InputError(fmt::format("is empty: specify at least one of {}", fmt::join(known, ", ")));
  std::vector<Index> found;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(known, name == "I" ? std::string("T") : name);
    if (at == known.end())
      throw core::InputError(fmt::format("contains {}, which is not one of {}", name, fmt::join(known, ", ")));
    const Index component = at - known.begin();
    if (has(found, component)) throw core::InputError(fmt::format("contains {} twice: specify it once", name));
    found.push_back(component);
  }
  std::ranges::sort(found);
  return found;
}

FieldKind kind_of_components(const FieldKind& kind, std::span<const Index> components, ComponentNames called) {
  std::vector<FieldKind> kinds;
  for (const transform::SpinField& spin_field : kind.spin_fields()) {
    std::vector<Index> own;
    for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c)
      if (has(components, c)) own.push_back(c);
    if (own.size() == 2)
      kinds.push_back(FieldKind::pair(spin_field.spin, kind.map_names()[static_cast<std::size_t>(spin_field.first)],
                                      kind.map_names()[static_cast<std::size_t>(spin_field.first) + 1]));
    else if (!own.empty())
      kinds.push_back(FieldKind::scalar(names_of(kind, called)[static_cast<std::size_t>(own.front())]));
  }
  return FieldKind::joined(kinds);
}

std::vector<Index> with_whole_pairs(const FieldKind& kind, std::span<const Index> components) {
  std::vector<Index> whole;
  for (const transform::SpinField& spin_field : kind.spin_fields()) {
    bool wanted = false;
    for (Index c = spin_field.first; c < spin_field.first + spin_field.components; ++c)
      wanted = wanted || has(components, c);
    for (Index c = spin_field.first; wanted && c < spin_field.first + spin_field.components; ++c) whole.push_back(c);
  }
  return whole;
}

template <class Field>
void copy_components(const Field& from, std::span<const Index> components, Field& to) {
  if (to.kind().components() != static_cast<Index>(components.size()) || to.maps() != from.maps() ||
      to.local_size() != from.local_size())
    throw core::InternalError("components: fields of shapes that do not match");
  for (Index k = 0; k < from.maps(); ++k)
    for (std::size_t i = 0; i < components.size(); ++i)
      std::ranges::copy(from.component(k, components[i]), to.component(k, static_cast<Index>(i)).begin());
}

template <class Field>
void keep_components(Field& field, std::span<const Index> components) {
  for (Index k = 0; k < field.maps(); ++k)
    for (Index c = 0; c < field.kind().components(); ++c) {
      if (has(components, c)) continue;
      const auto values = field.component(k, c);
      std::fill(values.begin(), values.end(), typename decltype(values)::value_type{});
    }
}

template void copy_components(const transform::AlmField<float>&, std::span<const Index>, transform::AlmField<float>&);
template void copy_components(const transform::AlmField<double>&, std::span<const Index>, transform::AlmField<double>&);
template void copy_components(const transform::MapField<float>&, std::span<const Index>, transform::MapField<float>&);
template void copy_components(const transform::MapField<double>&, std::span<const Index>, transform::MapField<double>&);
template void keep_components(transform::AlmField<float>&, std::span<const Index>);
template void keep_components(transform::AlmField<double>&, std::span<const Index>);

}  // namespace armilla::ops

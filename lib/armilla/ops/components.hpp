#pragma once

#include <armilla/transform/field.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Whether component names are those of maps (Q, U) or of alm (E, B).
enum class ComponentNames { kMap, kAlm };

/// Indices of the components with these names, in ascending order. Throws InputError for an empty list, an unknown name
/// or a duplicate. The message lists the available names.
std::vector<Index> find_components(const transform::FieldKind& kind, std::span<const std::string> names,
                                   ComponentNames called);

/// The kind that consists of these components (ascending). A spin pair stays a pair if both components are present. A
/// single component of a pair becomes a scalar with its name.
transform::FieldKind kind_of_components(const transform::FieldKind& kind, std::span<const Index> components,
                                        ComponentNames called);

/// `components` (ascending), completed with the other component of each spin pair.
std::vector<Index> with_whole_pairs(const transform::FieldKind& kind, std::span<const Index> components);

/// Not collective. Copies component components[i] of each map of `from` to component i of the same map of `to`. Throws
/// InternalError if shapes do not match. Field: transform::AlmField<T> or transform::MapField<T>.
template <class Field>
void copy_components(const Field& from, std::span<const Index> components, Field& to);

/// Not collective. Sets all other components to zero.
template <class Field>
void keep_components(Field& field, std::span<const Index> components);

}  // namespace armilla::ops

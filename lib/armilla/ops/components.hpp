#pragma once

#include <armilla/transform/field.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Whether components are called as in maps (Q, U) or as in alm (E, B).
enum class ComponentNames { kMap, kAlm };

/// Numbers of the components of that name, ascending. Throws InputError for none, for a name that the field has not,
/// and for one given twice; the message lists those that it has.
std::vector<Index> find_components(const transform::FieldKind& kind, std::span<const std::string> names,
                                   ComponentNames called);

/// Of the components (ascending), a kind of their own: pairs of a spin of which both are there stay that, one of a pair
/// becomes a scalar with its name.
transform::FieldKind kind_of_components(const transform::FieldKind& kind, std::span<const Index> components,
                                        ComponentNames called);

/// `components` (ascending) with the other half of each pair of a spin.
std::vector<Index> with_whole_pairs(const transform::FieldKind& kind, std::span<const Index> components);

/// Component i of each map of `to` becomes component components[i] of the same map of `from`. Not collective. Throws
/// InternalError where shapes do not match. Field: transform::AlmField<T> or transform::MapField<T>.
template <class Field>
void copy_components(const Field& from, std::span<const Index> components, Field& to);

/// All components but these become zero. Not collective.
template <class Field>
void keep_components(Field& field, std::span<const Index> components);

}  // namespace armilla::ops

#pragma once

#include <armilla/transform/field_kind.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::transform {

/// The fields of a file with `components` components and these names and spins, which may be empty. The kind follows
/// from the spins, otherwise from the names, otherwise from the number of components (one scalar; T, Q, U). Additional
/// columns, such as counts of observations, are not treated as scalars unless spins are given. Throws InputError if the
/// information in the file is insufficient.
FieldKind kind_of_file(Index components, std::span<const std::string> names, std::span<const Index> spins);

/// The components of a file, with `names` (or empty), that make a field of this kind, by the names of maps or of alm;
/// missing ones are omitted. `by_number`: the first components of the file are taken in order, regardless of names, as
/// for a single component.
std::vector<Index> choose_components(const FieldKind& kind, Index components, std::span<const std::string> names,
                                     bool by_number = false);

}  // namespace armilla::transform

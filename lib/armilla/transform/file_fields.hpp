#pragma once

#include <armilla/transform/field_kind.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::transform {

/// The fields in a file of `components` components, of which it says these names and spins, or nothing: by its spins,
/// else by its names, else by number (one scalar; T, Q, U). Columns other than those of one field, or of T, Q, U, are
/// not taken for scalars without spins: counts of observations and their like. Throws InputError if the file does
/// not say enough.
FieldKind kind_of_file(Index components, std::span<const std::string> names, std::span<const Index> spins);

/// Which components of a file, called `names` (or nothing), make a field of this kind, by the names of maps or of alm;
/// those that lack one are left out. `by_number`: as many as the field has are taken in order, whatever their names, as
/// a single one is.
std::vector<Index> choose_components(const FieldKind& kind, Index components, std::span<const std::string> names,
                                     bool by_number = false);

}  // namespace armilla::transform

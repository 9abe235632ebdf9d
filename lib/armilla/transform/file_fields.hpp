#pragma once

#include <armilla/transform/field_kind.hpp>

#include <optional>
#include <span>
#include <string>

namespace armilla::transform {

/// The fields of a file whose components have these names and spins. A single component is a scalar. Throws InputError
/// if there are several and the spin of one is unknown (no spins, or a negative one): additional columns, such as
/// counts of observations, are not treated as scalars.
FieldKind kind_of_file(std::span<const std::string> names, std::span<const Index> spins);

/// The spin of two consecutive names that FieldKind::from_names() knows as a pair; std::nullopt for other names.
std::optional<Index> spin_of_pair(const std::string& first, const std::string& second);

}  // namespace armilla::transform

#pragma once

#include <armilla/io/metadata.hpp>

#include <vector>

namespace armilla::io {

/// Sets the spins of the components, as a header states them. Consecutive components of equal spin > 0 are pairs, in
/// this order unless they are named U, Q or B, E. A component without its other one has the role of its name. `known`:
/// roles that take precedence over the names; may be empty.
void set_spins(FieldMetadata& metadata, std::vector<Index> spins, std::vector<PairRole> known = {});

/// Sets the spins that the names of all components define in Armilla's own formats. In maps and catalogues, T (or I) is
/// a scalar, and Q, U is a pair if no other component than T precedes or follows it: Q and U among other names may be a
/// humidity and a wind, and remain unknown. In coefficients (kind: kAlm), E, B is a pair, also among other components.
void set_spins_of_names(FieldMetadata& metadata, FileKind kind);

/// Sets the spins that the columns of a HEALPix map define: T, Q and U in all spellings of stokes_of_column(). With
/// kUpper, only names in upper case count, for tables that are not HEALPix maps.
enum class NameCase { kAny, kUpper };
void set_spins_of_columns(FieldMetadata& metadata, NameCase names = NameCase::kAny);

/// The spin of a component; kUnknownSpin if nothing states it.
Index spin_of(const FieldMetadata& metadata, std::size_t component);
PairRole role_of(const FieldMetadata& metadata, std::size_t component);
/// Whether two components that are to be a pair are its second and its first, such as U, Q.
bool are_reversed(const FieldMetadata& metadata, std::size_t first, std::size_t second);
/// Swaps the components of each pair that are_reversed().
void order_pairs(FieldMetadata& metadata);
/// Whether the spins of all components are known.
bool knows_all_spins(const FieldMetadata& metadata);

}  // namespace armilla::io

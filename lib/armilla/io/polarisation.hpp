#pragma once

#include <armilla/io/metadata.hpp>

#include <string>
#include <string_view>

namespace armilla::io {

/// COSMO, IAU or empty for the spellings found in files; other text is unchanged, for check_polcconv().
std::string polcconv_of(std::string_view text);

/// Throws InputError, naming the file, if its convention is none of COSMO, IAU and empty.
void check_polcconv(const std::string& path, const FieldMetadata& metadata);

/// The sign that converts a component to COSMO, by what the file states of it: the second of a pair of even spin, such
/// as U, has the opposite sign in IAU. Components of unknown spin are kept as stored.
Sign sign_to_cosmo(const FieldMetadata& metadata, std::size_t component);

/// Whether sign_to_cosmo() converts the whole file: its convention is not IAU, or the spins of all components are
/// known, none is odd, for which IAU and COSMO are not defined, and none has_unknown_sign().
bool converts_to_cosmo(const FieldMetadata& metadata);

/// Whether a component has an even spin above 0, but nothing states which one of its pair it is.
bool has_unknown_sign(const FieldMetadata& metadata, std::size_t component);

/// The label of a file with this metadata: its `polcconv`, or COSMO, the convention in memory, if that is empty and
/// a component has an even spin above 0. Otherwise empty.
std::string polcconv_to_write(const FieldMetadata& metadata);

}  // namespace armilla::io

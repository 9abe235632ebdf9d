#pragma once

#include <armilla/io/metadata.hpp>

#include <span>
#include <string>

namespace armilla::io {

/// True for NaN, infinities, kBadPixel and the bad value of the file.
bool is_bad_value(double value, double bad_value);

/// Counts bad values and treats them according to the policy (kError like kZero: the caller throws). The others get the
/// sign.
template <class T>
BadPixels clean_values(std::span<T> values, double bad_value, BadDataPolicy policy, Sign sign);

/// Index and name of a component, for messages.
std::string field_text(const FieldMetadata& metadata, Index component);

/// Throws InputError for a component that does not exist in the file.
void check_component(const std::string& path, Index component, Index components);

}  // namespace armilla::io

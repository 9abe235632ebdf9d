#pragma once

#include <armilla/core/types.hpp>

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// The value as JSON text, on one line or with this indentation. Bytes that are not valid UTF-8, which may occur in
/// file names, are replaced instead of causing an exception.
std::string json_text(const nlohmann::json& value, int indentation = -1);

/// The integer `key` of an object from a file; `absent` if there is none. Throws InputError for other values, which
/// nlohmann::json would cast.
core::Index json_index(const nlohmann::json& object, const char* key, core::Index absent);

}  // namespace armilla::job

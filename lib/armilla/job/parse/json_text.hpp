#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// The value as JSON text, on one line or with this indentation. Bytes that are not valid UTF-8, which may occur in
/// file names, are replaced instead of causing an exception.
std::string json_text(const nlohmann::json& value, int indentation = -1);

}  // namespace armilla::job

#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// The value as JSON text, on one line or with this indentation. Bytes that are not UTF-8, which names of files may
/// have, are replaced, so that no text makes it throw.
std::string json_text(const nlohmann::json& value, int indentation = -1);

}  // namespace armilla::job

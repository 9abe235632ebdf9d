#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace armilla::app {

/// Describes the contents of a file in the format of `inspect --json` (docs/file_formats.md). Reads all values. Throws
/// InputError.
nlohmann::ordered_json inspect_record(const std::string& path);

/// Formats such a record as text.
std::string inspect_text(const nlohmann::ordered_json& record);

}  // namespace armilla::app

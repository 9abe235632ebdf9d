#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace armilla::app {

/// What a file holds, as docs/file_formats.md describes it: the output of `inspect --json`. Reads all of its values.
/// Throws InputError.
nlohmann::ordered_json inspect_record(const std::string& path);

/// The same for people, from such a record.
std::string inspect_text(const nlohmann::ordered_json& record);

}  // namespace armilla::app

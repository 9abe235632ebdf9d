#pragma once

#include <armilla/io/stated_header.hpp>

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace armilla::app {

/// Describes the contents of a file in the format of `inspect --json` (docs/file_formats.md). Reads all values.
/// `columns`: of a file of spectra that does not name them; empty for other files. `header`: what is stated of a map.
/// Throws InputError.
nlohmann::ordered_json inspect_record(const std::string& path, const std::vector<std::string>& columns = {},
                                      const io::StatedHeader& header = {});

/// Formats such a record as text.
std::string inspect_text(const nlohmann::ordered_json& record);

}  // namespace armilla::app

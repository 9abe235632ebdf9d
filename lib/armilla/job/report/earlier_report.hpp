#pragma once

#include <armilla/job/journal/verify.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// Not collective. The contents of a file that is an Armilla report; std::nullopt for any other file and if it cannot
/// be read.
std::optional<nlohmann::json> read_report(const std::string& file);

/// Not collective. Whether `file` is the report of a run that computed maps of a campaign and succeeded, and all
/// outputs that it lists are still recorded with the same checksums in `outputs`.
bool is_report_of_maps(const std::string& file, const std::vector<RecordedFile>& outputs);

}  // namespace armilla::job

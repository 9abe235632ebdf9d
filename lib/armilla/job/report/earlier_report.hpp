#pragma once

#include <armilla/job/journal/verify.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// Not collective. Whether `file` is the report of a run that computed maps of a campaign and succeeded, and all
/// outputs that it lists are still recorded with the same checksums in `outputs`.
bool is_report_of_maps(const std::string& file, const std::vector<RecordedFile>& outputs);

}  // namespace armilla::job

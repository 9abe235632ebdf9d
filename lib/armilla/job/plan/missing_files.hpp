#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// Not collective; call after expand_inputs(). Checks that the files of patterns exist, for the part of the campaign
/// that runs. Empty if they do, otherwise a text that names at most ten. Throws InputError with that text if the job
/// does not allow that many maps to be left out.
std::string missing_files_text(const JobSpec& spec);

}  // namespace armilla::job

#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// Not collective, after expand_inputs(). Looks whether the files that patterns stand for are there, those of the part
/// of the campaign that runs; empty if they are, or else a text that names ten at most. Throws InputError with that
/// text where the job does not leave out so many maps.
std::string missing_files_text(const JobSpec& spec);

}  // namespace armilla::job

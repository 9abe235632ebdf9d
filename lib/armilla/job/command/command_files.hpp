#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

/// Files named on a command line.
namespace armilla::job {

/// The file itself; for a pattern the first existing file, which represents all files.
std::string sample_file(const std::string& file);

/// Replaces `~/` by the home folder. Shells expand it only at the beginning of a word, not in `KEY=~/file`.
std::string without_tilde(const std::string& file);

/// The path for use in a job, with `$` and `~` escaped.
std::string path_text(const std::string& file);

/// The type of input as which the file is read, from its header. Throws InputError.
ValueSort sort_in(const std::string& file);

}  // namespace armilla::job

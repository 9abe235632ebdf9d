#pragma once

#include <armilla/job/parse/job_spec.hpp>

#include <string>

/// Files as a command line names them.
namespace armilla::job {

/// The file itself; of a pattern the first file that exists, which stands for all.
std::string sample_file(const std::string& file);

/// `~/` replaced by the home folder: shells expand it at the beginning of a word only, not in `KEY=~/file`.
std::string without_tilde(const std::string& file);

/// The file as a job names it, where `$` and `~` would be expanded.
std::string path_text(const std::string& file);

/// The sort of an input that the file is read as. Reads its header. Throws InputError.
ValueSort sort_in(const std::string& file);

}  // namespace armilla::job

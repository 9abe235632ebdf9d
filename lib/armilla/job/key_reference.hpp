#pragma once

#include <string>

namespace armilla::job {

/// The page docs/job_keys.md: every key of the job language with its type, default and meaning, in Markdown, from the
/// tables that parse jobs.
std::string key_reference();

}  // namespace armilla::job

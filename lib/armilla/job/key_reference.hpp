#pragma once

#include <string>

namespace armilla::job {

/// Generates the page docs/job_keys.md from the tables that parse jobs. It lists every key of the job language with
/// type, default and meaning, in Markdown.
std::string key_reference();

}  // namespace armilla::job

#pragma once

#include <string>

namespace armilla::job {

/// Generates config/job.schema.json, a JSON Schema (draft 7) of job files for editors, from the tables that parse jobs.
/// It accepts valid jobs, except for numbers and flags in quotes, and names that are numbers. It rejects unknown keys,
/// missing keys, and values of a wrong type or outside their range. Constraints between keys are checked only by the
/// program. Throws InternalError for an unknown form of a key.
std::string key_schema();

}  // namespace armilla::job

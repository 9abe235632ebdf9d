#pragma once

#include <string>

namespace armilla::job {

/// config/job.schema.json: a JSON Schema (draft 7) of job files, from the tables that parse jobs, for editors. It
/// accepts each valid job. It refuses unknown keys, missing keys, and values of a wrong type or outside their range;
/// what keys mean together is up to the program. Throws InternalError where it does not know the form of a key.
std::string key_schema();

}  // namespace armilla::job

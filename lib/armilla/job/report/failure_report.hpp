#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/report/run_start.hpp>

#include <string>

namespace armilla::job {

/// Not collective, for the root. Writes the report of a run that ended with `error`: what was known at its start, the
/// message and the exit code. Overwrites no file that is not a report of Armilla. Throws nothing: where the report
/// cannot be written, it warns, as the error itself matters more.
void write_failure_report(const RunStart& start, const core::CaughtError& error, const std::string& file);

/// `error` as an object with the keys `kind`, `message` and `exit_code`.
nlohmann::json error_json(const core::CaughtError& error);

}  // namespace armilla::job

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/job/report/run_start.hpp>

#include <string>

namespace armilla::job {

/// Not collective; root only. Writes the report of a run that failed with `error`: the information from its start, the
/// message and the exit code. Does not overwrite a file that is not an Armilla report. Does not throw. If the report
/// cannot be written, it warns, because the original error is more important.
void write_failure_report(const RunStart& start, const core::CaughtError& error, const std::string& file);

/// `error` as an object with the keys `kind`, `message` and `exit_code`, and the known parts of the message: `where`,
/// `section`, `key`, `value` and `text`.
nlohmann::json error_json(const core::CaughtError& error);

}  // namespace armilla::job

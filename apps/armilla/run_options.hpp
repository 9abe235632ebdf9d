#pragma once

#include <armilla/job/run_job.hpp>

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds --part, --restart, --max-time and --lock-wait to a verb. `max_seconds` receives the value of --max-time.
void add_campaign_options(CLI::App& verb, job::RunOptions& options, std::optional<double>& max_seconds);

/// Converts "3h", "90m", "45s", "HH:MM:SS" or "D-HH:MM:SS" to seconds. Throws CLI::ValidationError for other texts.
double parse_duration(const std::string& text);

}  // namespace armilla::app

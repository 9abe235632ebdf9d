#pragma once

#include <armilla/job/run_job.hpp>

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Adds --part, --restart and --max-time to a verb; `max_seconds` is what the latter says.
void add_campaign_options(CLI::App& verb, job::RunOptions& options, std::optional<double>& max_seconds);

/// Seconds of "3h", "90m", "45s", "HH:MM:SS" or "D-HH:MM:SS". Throws CLI::ValidationError for other texts.
double parse_duration(const std::string& text);

}  // namespace armilla::app

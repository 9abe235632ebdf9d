#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Describes a command-line error in one line: for an unknown verb, the closest known one; for a job step or a healpy
/// name, the Armilla equivalent; otherwise the message of CLI11. `app` is the program after parsing.
std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace armilla::app

#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace armilla::app {

/// What a mistake on the command line is, in one line: an unknown verb with the nearest known one, a step of a job or a
/// word of healpy in its place with what Armilla has for it, else what CLI11 says. `app` is the program, parsed.
std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace armilla::app

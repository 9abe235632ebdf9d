#pragma once

#include <string>

namespace armilla::app {

/// Seconds of "3h", "90m", "45s", "HH:MM:SS" or "D-HH:MM:SS". Throws CLI::ValidationError, which names the option.
double parse_duration(const std::string& text, const std::string& option);

}  // namespace armilla::app

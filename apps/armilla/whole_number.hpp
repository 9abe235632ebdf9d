#pragma once

#include <CLI/CLI.hpp>

namespace armilla::app {

/// Accepts whole numbers from `least` to `most` in decimal digits. CLI11 by itself also accepts 0x10 and 1'000.
CLI::Validator whole_number(long least, long most);

/// Refuses an empty text, such as the value of an unset variable of a shell.
CLI::Validator not_empty();

}  // namespace armilla::app

#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

namespace armilla::app {

/// Gives descriptors to standard streams that are closed, so that no output file takes their place: writing to standard
/// output then fails. Ignores SIGPIPE, so that a pipe without a reader is an error of write(). Call it first.
void open_standard_streams();

/// Writes to standard output. Failures are found by check_standard_output().
void print_text(const std::string& text);
/// The same at once, for readers who wait for it.
void print_now(const std::string& text);
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes to standard error. What cannot be written is lost: the exit code tells as well.
void print_error(const std::string& text);

/// Flushes standard output. Throws ResourceError where anything printed so far could not be written.
void check_standard_output();

}  // namespace armilla::app

#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

namespace armilla::app {

/// Opens closed standard streams, so that no output file gets one of their descriptors. Writes to a standard output
/// that was closed then fail. Ignores SIGPIPE, so that write() returns an error for a pipe without a reader. Call it
/// before any file is opened.
void open_standard_streams();

/// Writes to standard output. check_standard_output() reports failures.
void print_text(const std::string& text);
/// Writes to standard output and flushes it, for output that is followed live.
void print_now(const std::string& text);
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes to standard error. Failures are ignored, because the exit code also reports the error.
void print_error(const std::string& text);

/// Flushes standard output. Throws ResourceError if any output so far could not be written.
void check_standard_output();

}  // namespace armilla::app

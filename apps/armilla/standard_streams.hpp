#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>

namespace armilla::app {

/// Opens closed standard streams, so that no output file gets one of their descriptors. Writes to a standard output
/// that was closed then fail. Ignores SIGPIPE, so that write() returns an error for a pipe without a reader. Call it
/// before any file is opened.
void open_standard_streams();

/// Writes to standard output, unchanged: for text that programs read. check_standard_output() reports failures.
void print_text(const std::string& text);
/// Writes JSON to standard output. Control characters that JSON allows in strings are written as escapes.
void print_json(const std::string& text);
/// Writes lines for people to standard output, as core::printable_lines() returns them, because they may contain texts
/// from files.
void print_lines(const std::string& text);
/// Like print_lines(), then flushes, for output that is followed live.
void print_now(const std::string& text);
/// Formats lines for people, and writes them like print_lines().
template <class... Arguments>
void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_lines(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes lines to standard error, like print_lines(). Failures are ignored, because the exit code also reports the
/// error.
void print_error(const std::string& text);

/// Flushes standard output. Throws ResourceError if any output so far could not be written.
void check_standard_output();

}  // namespace armilla::app

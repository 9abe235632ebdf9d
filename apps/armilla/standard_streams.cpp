#include "standard_streams.hpp"

#include <armilla/core/error.hpp>
#include <armilla/core/text.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace armilla::app {

namespace {

// First error of a write to standard output. It is stored because later writes may succeed.
int first_error = 0;

void note(bool written) {
  if (!written && first_error == 0) first_error = errno == 0 ? EIO : errno;
}

}  // namespace

void open_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() returns the lowest free descriptor, which is that of the closed stream.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void print_text(const std::string& text) { note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size()); }

void print_json(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    constexpr unsigned kDelete = 0x7F, kLead = 0xC2;  // in UTF-8, U+0080 .. U+009F follow kLead
    if (byte(i) == kDelete)
      safe += "\\u007f";
    else if (byte(i) == kLead && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0)
      safe += fmt::format("\\u{:04x}", byte(++i));
    else
      safe += text[i];
  }
  print_text(safe);
}

void print_lines(const std::string& text) { print_text(core::printable_lines(text)); }

void print_now(const std::string& text) {
  print_lines(text);
  note(std::fflush(stdout) == 0);
}

void print_error(const std::string& text) {
  const std::string safe = core::printable_lines(text);
  [[maybe_unused]] const auto written = std::fwrite(safe.data(), 1, safe.size(), stderr);
  std::fflush(stderr);
}

void check_standard_output() {
  note(std::fflush(stdout) == 0);
  // A reader that has seen enough, such as head, closes the pipe.
  if (first_error == 0 || first_error == EPIPE) return;
  throw core::ResourceError(
      fmt::format("standard output cannot be written ({}): redirect it elsewhere (the files written are complete)",
                  std::strerror(first_error)));
}

}  // namespace armilla::app

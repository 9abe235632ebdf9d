#include "standard_streams.hpp"

#include <armilla/core/error.hpp>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace armilla::app {

void open_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // open() takes the lowest free descriptor: that of the stream.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

void print_text(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void check_standard_output() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int error = errno;
  if (flushed && std::ferror(stdout) == 0) return;
  // What failed before this call has left no reason.
  const std::string reason = error == 0 ? "" : fmt::format(" ({})", std::strerror(error));
  throw core::ResourceError(fmt::format(
      "standard output cannot be written{}: redirect it elsewhere; files that were written are complete", reason));
}

}  // namespace armilla::app

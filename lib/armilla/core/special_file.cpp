#include <armilla/core/error.hpp>
#include <armilla/core/special_file.hpp>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

std::string_view special_kind(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a FIFO or pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "not a regular file";
}

void check_readable(const std::string& path) {
  const auto refuse = [&](int error) {
    throw InputError(fmt::format("'{}' cannot be opened for reading ({}): check the path and its permissions", path,
                                 std::strerror(error)));
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) refuse(errno);
  // Checked before opening, because opening a FIFO blocks until it has a writer.
  if (const std::string_view kind = special_kind(status.st_mode); !kind.empty())
    throw InputError(fmt::format("'{}' cannot be read: it is {}: specify the path of a regular file", path, kind));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(errno);
  ::close(file);
}

}  // namespace armilla::core

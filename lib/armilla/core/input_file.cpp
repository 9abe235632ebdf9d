#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/special_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace {

constexpr Index kNanoseconds = 1'000'000'000;
constexpr Index kMostSeconds = std::numeric_limits<Index>::max() / kNanoseconds - 1;

[[noreturn]] void refuse(const std::string& path, int error) {
  throw InputError(fmt::format("'{}' cannot be opened for reading ({}): check the path and its permissions", path,
                               std::strerror(error)));
}

int open_for_reading(const std::string& path) {
  int descriptor = -1;
  // Without O_NONBLOCK, opening a FIFO blocks until it has a writer. It has no effect on regular files.
  do descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) refuse(path, errno);
  return descriptor;
}

void check_regular(const std::string& path, mode_t mode) {
  if (const std::string_view kind = special_kind(mode); !kind.empty())
    throw InputError(fmt::format("'{}' cannot be read: it is {}: specify the path of a regular file", path, kind));
}

FileState state_of(const struct stat& status) {
  // Times after the year 2262 do not fit.
  const auto seconds = std::clamp<Index>(status.st_mtim.tv_sec, -kMostSeconds, kMostSeconds);
  const Index mtime = seconds * kNanoseconds + static_cast<Index>(status.st_mtim.tv_nsec);
  return {.stamp = {static_cast<Index>(status.st_size), mtime},
          .device = static_cast<Index>(status.st_dev),
          .inode = static_cast<Index>(status.st_ino)};
}

}  // namespace

FileStamp stamp_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? state_of(status).stamp : FileStamp{};
}

FileState state_of(const std::string& path) { return InputFile(path).state(); }

void check_unchanged(const std::string& path, const FileState& seen) {
  if (state_of(path) == seen) return;
  throw InputError(fmt::format("'{}' has changed while it was read, or since its header was read: run again", path));
}

InputFile::InputFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  // Checked before opening too, because opening a device may have effects.
  if (::stat(path_.c_str(), &status) != 0) refuse(path_, errno);
  check_regular(path_, status.st_mode);
  descriptor_ = open_for_reading(path_);
  if (::fstat(descriptor_, &status) != 0) {
    const int error = errno;
    ::close(descriptor_);
    refuse(path_, error);
  }
  try {
    check_regular(path_, status.st_mode);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  state_ = state_of(status);
}

InputFile::~InputFile() { ::close(descriptor_); }

bool InputFile::lock() const { return ::flock(descriptor_, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

Index InputFile::read_some(Index position, std::span<char> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t bytes = ::pread(descriptor_, out.data() + done, out.size() - done,
                                  static_cast<off_t>(position) + static_cast<off_t>(done));
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) throw ResourceError(read_error_text(fmt::format("'{}'", path_), errno));
    if (bytes == 0) break;
    done += static_cast<std::size_t>(bytes);
  }
  return static_cast<Index>(done);
}

void InputFile::read(Index position, std::span<char> out) const {
  if (read_some(position, out) != static_cast<Index>(out.size()))
    throw InputError(fmt::format("'{}' cannot be read: it was truncated during the read: run again", path_));
}

void check_readable(const std::string& path) { const InputFile file(path); }

}  // namespace armilla::core

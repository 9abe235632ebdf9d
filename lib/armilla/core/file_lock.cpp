#include <armilla/core/error.hpp>
#include <armilla/core/file_lock.hpp>
#include <armilla/core/own_files.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace {

constexpr std::chrono::milliseconds kInterval{50};  // between two attempts

}  // namespace

FileLock::FileLock(std::string path, const std::string& holder, double patience) : path_(std::move(path)) {
  const double start = now_seconds();
  while (open_file()) {
    const bool locked = try_lock();
    if (!problem_.empty()) {
      close_file();
      return;
    }
    // The previous holder may have removed the file between the two calls; another run then locks a new one.
    if (locked && is_still_there()) {
      const std::lock_guard guard(own_files().lock);
      own_files().paths.insert(path_);
      break;
    }
    close_file();
    if (const auto stop = stop_at_boundary()) throw_error(stop->kind, stop->message);
    if (now_seconds() - start >= patience) {
      if (locked) {
        problem_ = fmt::format("the file system of '{}' does not show the locked file", path_);
        return;
      }
      const std::string text = read_file(path_).text;
      throw InputError(fmt::format(
          "the same outputs are being written by {} (lock file '{}'): wait until that run has finished, or cancel it",
          text.empty() ? "an unknown process" : text, path_));
    }
    std::this_thread::sleep_for(kInterval);
  }
  if (file_ < 0) return;
  // The text of a file that cannot be read counts as empty.
  left_over_ = read_file(path_).text;
  // The text is for messages only; the lock works even if the disk is full.
  if (::ftruncate(file_, 0) == 0) [[maybe_unused]]
    const ssize_t written = ::pwrite(file_, holder.data(), holder.size(), 0);
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)),
      problem_(std::move(other.problem_)),
      left_over_(std::move(other.left_over_)),
      file_(std::exchange(other.file_, -1)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  const std::lock_guard guard(own_files().lock);
  if (is_still_there()) ::unlink(path_.c_str());
  own_files().paths.erase(path_);
  close_file();
}

bool FileLock::open_file() {
  do file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  while (file_ < 0 && errno == EINTR);
  if (file_ < 0) problem_ = fmt::format("'{}' cannot be opened: {}", path_, std::strerror(errno));
  return file_ >= 0;
}

bool FileLock::try_lock() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(file_, F_OFD_SETLK, &lock) == 0) return true;
  if (errno != EAGAIN && errno != EACCES && errno != EINTR)
    problem_ = fmt::format("the file system of '{}' does not support file locks ({})", path_, std::strerror(errno));
  return false;
}

bool FileLock::is_still_there() const {
  struct stat own {
  }, there{};
  return ::fstat(file_, &own) == 0 && own.st_nlink > 0 && ::stat(path_.c_str(), &there) == 0 &&
         own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

void FileLock::close_file() {
  ::close(file_);
  file_ = -1;
}

}  // namespace armilla::core

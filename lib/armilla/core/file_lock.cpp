#include <armilla/core/error.hpp>
#include <armilla/core/file_lock.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/own_files.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/stop_signals.hpp>
#include <armilla/core/timer.hpp>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace {

constexpr std::chrono::milliseconds kInterval{50};     // between two attempts
constexpr std::chrono::milliseconds kSignEvery{1000};  // between two signs of life
constexpr double kSilence = 1;                         // [s]; a longer wait for signs is logged

std::string holder_of(const std::string& path) {
  const std::string text = read_file(path).text;
  return text.empty() ? "an unknown process" : text;
}

std::string refusal(const std::string& path, FileLock::Patience kind, double patience) {
  const std::string holder = holder_of(path);
  if (kind == FileLock::Patience::kFromStart)
    return fmt::format(
        "the same outputs are being written by {} (lock file '{}'): wait until that run has finished, or cancel it",
        holder, path);
  return fmt::format(
      "the lock file '{}' is held by {}, which has given no sign of life for {:.3g} s: it may be suspended. Resume or "
      "cancel that run, then repeat this one",
      path, holder, patience);
}

}  // namespace

/// The signs of life of the holder, as seen by a waiting process. Times are compared with each other only, because the
/// clocks of hosts differ.
class FileLock::HolderSigns {
 public:
  double last(int file) {
    struct stat now {};
    if (::fstat(file, &now) != 0) return seen_;
    const bool is_same_time = now.st_mtim.tv_sec == time_.tv_sec && now.st_mtim.tv_nsec == time_.tv_nsec;
    if (now.st_ino == inode_ && is_same_time) return seen_;
    inode_ = now.st_ino;
    time_ = now.st_mtim;
    return seen_ = now_seconds();
  }

 private:
  ino_t inode_ = 0;
  timespec time_{};
  double seen_ = now_seconds();
};

FileLock::FileLock(std::string path, const std::string& holder, double patience, Patience kind)
    : path_(std::move(path)) {
  const double start = now_seconds();
  double last_held = start;  // by another process, at an attempt
  HolderSigns signs;
  bool is_told = kind == Patience::kFromStart;
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
    if (!locked) last_held = now_seconds();
    const double since = locked ? last_held : kind == Patience::kFromSign ? signs.last(file_) : start;
    close_file();
    if (const auto stop = stop_at_boundary()) throw_error(*stop);
    if (now_seconds() - since >= patience) {
      if (locked) {
        problem_ = fmt::format("the file system of '{}' does not show the locked file", path_);
        return;
      }
      throw InputError(refusal(path_, kind, patience));
    }
    if (!is_told && now_seconds() - start >= kSilence) {
      is_told = true;
      core::log().info("waiting for {}, which holds the lock file '{}'", holder_of(path_), path_);
    }
    std::this_thread::sleep_for(kInterval);
  }
  if (file_ < 0) return;
  // The text of a file that cannot be read counts as empty.
  left_over_ = read_file(path_).text;
  // The text is for messages only; the lock works even if the disk is full.
  if (::ftruncate(file_, 0) == 0) [[maybe_unused]]
    const ssize_t written = ::pwrite(file_, holder.data(), holder.size(), 0);
  if (kind == Patience::kFromSign) give_signs();
}

void FileLock::give_signs() {
  try {
    signs_ = std::jthread([file = file_](const std::stop_token& stop) {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock guard(mutex);
      while (!changed.wait_for(guard, stop, kSignEvery, [&] { return stop.stop_requested(); }))
        ::futimens(file, nullptr);
    });
  } catch (const std::system_error&) {
    // Without a thread, other processes wait for `patience` seconds only.
  }
}

void FileLock::end_signs() {
  if (!signs_.joinable()) return;
  signs_.request_stop();
  signs_.join();
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)),
      problem_(std::move(other.problem_)),
      left_over_(std::move(other.left_over_)),
      file_(std::exchange(other.file_, -1)),
      signs_(std::move(other.signs_)) {}

FileLock::~FileLock() {
  if (file_ < 0) return;
  end_signs();
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

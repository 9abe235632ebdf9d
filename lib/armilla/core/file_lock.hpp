#pragma once

#include <string>

namespace armilla::core {

/// An exclusive lock of the kernel (fcntl, open file description) on a small file, held until destruction. The kernel
/// releases it when the process dies, however it dies. No child process inherits it.
class FileLock {
 public:
  /// Creates `path` where it does not exist and waits up to `patience` seconds for the lock, then writes `holder` to
  /// the file, for the messages of those who wait. Throws InputError, which quotes the text of the present holder,
  /// where the lock is not free in time, Stopped where a signal asked to stop while waiting. Where the file system has
  /// no locks, or the file cannot be opened, the lock is not held, and problem() says why.
  FileLock(std::string path, const std::string& holder, double patience);
  /// Removes the file and releases the lock.
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_held() const { return file_ >= 0; }
  /// What the file held when the lock was got: the text of a holder that died; empty if there was none.
  const std::string& left_over() const { return left_over_; }
  /// Why the lock is not held; empty if it is.
  const std::string& problem() const { return problem_; }

 private:
  bool open_file();
  bool try_lock();
  bool is_still_there() const;
  void close_file();

  std::string path_;
  std::string problem_;
  std::string left_over_;
  int file_ = -1;
};

}  // namespace armilla::core

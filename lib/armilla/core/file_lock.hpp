#pragma once

#include <string>
#include <thread>

namespace armilla::core {

/// An exclusive kernel lock (fcntl, open file description) on a small file, held until destruction. The kernel releases
/// it when the process ends for any reason. It is not inherited by child processes.
class FileLock {
 public:
  /// What `patience` limits: the whole wait, or the time without a sign of life of the holder. A holder with kFromSign
  /// gives a sign each second: it sets the modification time of the file. A longer wait for such a lock is logged.
  enum class Patience { kFromStart, kFromSign };

  /// Creates `path` if it does not exist and waits up to `patience` seconds for the lock. Then writes `holder` to the
  /// file, for messages of waiting processes. Throws InputError, quoting the text of the present holder, if the lock is
  /// not free in time, and Stopped if a signal requests a stop while waiting. If the file system does not support
  /// locks, or the file cannot be opened, the lock is not held, and problem() gives the reason.
  FileLock(std::string path, const std::string& holder, double patience, Patience kind = Patience::kFromStart);
  /// Removes the file and releases the lock.
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  bool is_held() const { return file_ >= 0; }
  /// Contents of the file when the lock was acquired: the text of a previous holder that was killed; empty if there was
  /// none.
  const std::string& left_over() const { return left_over_; }
  /// Why the lock is not held; empty if it is.
  const std::string& problem() const { return problem_; }

 private:
  class HolderSigns;
  bool open_file();
  bool try_lock();
  bool is_still_there() const;
  void close_file();
  void give_signs();
  void end_signs();  // before the file is closed

  std::string path_;
  std::string problem_;
  std::string left_over_;
  int file_ = -1;
  std::jthread signs_;  // sets the modification time
};

}  // namespace armilla::core

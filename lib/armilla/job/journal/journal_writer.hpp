#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// A journal being written by this process alone: JSON, one object per line. It holds a lock on the file (fcntl, open
/// file description) until destruction. Other processes use the lock to detect that the run is alive (is_locked).
class JournalWriter {
 public:
  /// Creates the file with its first line. Throws ResourceError, or InputError if its folder is not writable.
  JournalWriter(std::string path, const nlohmann::json& first);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  const std::string& path() const { return path_; }
  /// Appends the lines atomically and syncs them. Thread-safe. Throws ResourceError.
  void append(const std::vector<nlohmann::json>& lines);
  void append(const nlohmann::json& line);
  /// Removes the file. Call it only if the file contains nothing of use.
  void remove();

 private:
  std::string path_;
  int file_ = -1;
  std::mutex lock_;
};

/// Whether another process holds the lock of a journal. On file systems with node-local locks, runs on other nodes are
/// not detected.
bool is_locked(const std::string& path);

}  // namespace armilla::job

#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::job {

/// A journal that is being written, by this process alone: JSON, one object a line. It holds a lock on it
/// (fcntl, open file description) until destruction, by which others see that the run is alive (is_locked).
class JournalWriter {
 public:
  /// Creates the file, with its first line. Throws ResourceError, or InputError where its folder is not writable.
  JournalWriter(std::string path, const nlohmann::json& first);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  const std::string& path() const { return path_; }
  /// Appends the lines and syncs them; all or nothing. Any thread. Throws ResourceError.
  void append(const std::vector<nlohmann::json>& lines);
  void append(const nlohmann::json& line);
  /// Removes the file: nothing in it is worth keeping.
  void remove();

 private:
  std::string path_;
  int file_ = -1;
  std::mutex lock_;
};

/// Whether another process holds the lock of a journal. On file systems that keep locks within a node, a run on another
/// node does not show.
bool is_locked(const std::string& path);

}  // namespace armilla::job

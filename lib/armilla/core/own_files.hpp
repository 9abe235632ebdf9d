#pragma once

#include <mutex>
#include <set>
#include <string>

namespace armilla::core {

/// Files that must not outlive this process: partial files that are not published, and lock files. Their owners remove
/// them; where a signal ends the process first, remove_own_files() does.
struct OwnFiles {
  std::mutex lock;  ///< held while such a file is created, renamed or entered here
  std::set<std::string> paths;
};

/// One for the process; it is never destroyed, as threads may use it until the process exits.
OwnFiles& own_files();

/// Removes them all, and never releases the lock, so that none is created or published any more: for a process that
/// exits next.
void remove_own_files();

}  // namespace armilla::core

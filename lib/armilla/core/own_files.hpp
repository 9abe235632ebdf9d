#pragma once

#include <mutex>
#include <set>
#include <string>

namespace armilla::core {

/// Files that must not outlive this process: unpublished partial files, and lock files. Their owners remove them; if a
/// signal terminates the process first, remove_own_files() does.
struct OwnFiles {
  std::mutex lock;  ///< held while such a file is created, renamed or registered here
  std::set<std::string> paths;
};

/// One object per process; never destroyed, because threads may use it until the process exits.
OwnFiles& own_files();

/// Removes all of these files, and never releases the lock, so that no more can be created or published. For a process
/// that is about to exit.
void remove_own_files();

}  // namespace armilla::core

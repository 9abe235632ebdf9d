#include <armilla/core/own_files.hpp>

#include <unistd.h>

namespace armilla::core {

OwnFiles& own_files() {
  static auto* const files = new OwnFiles;
  return *files;
}

void remove_own_files() {
  own_files().lock.lock();
  for (const std::string& path : own_files().paths) ::unlink(path.c_str());
}

}  // namespace armilla::core

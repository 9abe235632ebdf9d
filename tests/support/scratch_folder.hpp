#pragma once

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace armilla::test {

/// A fresh folder, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "armilla-scratch-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// While it is there, core::cache_folder() is `folder`; there is no cache where that is empty.
class CacheAt {
 public:
  explicit CacheAt(const std::string& folder) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const char* value = std::getenv(kNames[i]);
      before_[i] = value == nullptr ? "" : value;
      unsetenv(kNames[i]);
    }
    if (!folder.empty()) setenv(kNames[0], folder.c_str(), 1);
  }
  ~CacheAt() {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      before_[i].empty() ? unsetenv(kNames[i]) : setenv(kNames[i], before_[i].c_str(), 1);
  }
  CacheAt(const CacheAt&) = delete;
  CacheAt& operator=(const CacheAt&) = delete;

 private:
  static constexpr std::array kNames{"ARMILLA_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
  std::array<std::string, kNames.size()> before_;
};

inline std::string content(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace armilla::test

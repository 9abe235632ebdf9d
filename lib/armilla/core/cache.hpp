#pragma once

#include <armilla/core/partial_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace armilla::core {

/// The folder of what is worth keeping from one run to the next: $ARMILLA_CACHE_DIR, else $XDG_CACHE_HOME/armilla, else
/// $HOME/.cache/armilla; empty if none of these is set.
std::filesystem::path cache_folder();

/// FNV-1a of some bytes; `hash` is that of the bytes before them.
std::uint64_t fnv1a(const void* data, std::size_t bytes, std::uint64_t hash = 0xcbf29ce484222325u);

/// A file of the cache that is being written. It is a partial file until commit(), so readers see the complete old file
/// or the complete new one. Nothing here throws: a cache that cannot be written costs time, not results.
class CacheFile {
 public:
  /// Makes the folder where there is none. An empty path is one that cannot be written.
  explicit CacheFile(const std::filesystem::path& file);
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  void write(const void* data, std::size_t bytes);
  /// Gives the file its name. False if it could not be written in full.
  bool commit();

 private:
  std::optional<PartialFile> file_;
  std::ofstream stream_;
};

}  // namespace armilla::core

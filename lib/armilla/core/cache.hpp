#pragma once

#include <armilla/core/partial_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace armilla::core {

/// The cache folder, for data stored between runs: $ARMILLA_CACHE_DIR, otherwise $XDG_CACHE_HOME/armilla, otherwise
/// $HOME/.cache/armilla; empty if none of these is set.
std::filesystem::path cache_folder();

/// FNV-1a hash of some bytes; `hash` is the hash of the preceding bytes.
std::uint64_t fnv1a(const void* data, std::size_t bytes, std::uint64_t hash = 0xcbf29ce484222325u);

/// A cache file that is being written. It is a partial file until commit(), so readers see either the complete old file
/// or the complete new one. Does not throw, because a cache that is not writable increases the run time, but does not
/// affect results.
class CacheFile {
 public:
  /// Creates the folder if it does not exist. An empty path counts as not writable.
  explicit CacheFile(const std::filesystem::path& file);
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;

  void write(const void* data, std::size_t bytes);
  /// Renames the file to its final name. Returns false if it could not be written completely.
  bool commit();

 private:
  std::optional<PartialFile> file_;
  std::ofstream stream_;
};

}  // namespace armilla::core

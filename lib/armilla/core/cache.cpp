#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>

#include <cstdlib>
#include <new>
#include <string>

namespace armilla::core {

namespace fs = std::filesystem;

fs::path cache_folder() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const fs::path folder = variable("ARMILLA_CACHE_DIR"); !folder.empty()) return folder;
  if (const fs::path folder = variable("XDG_CACHE_HOME"); folder.is_absolute()) return folder / "armilla";
  if (const fs::path folder = variable("HOME"); !folder.empty()) return folder / ".cache" / "armilla";
  return {};
}

std::uint64_t fnv1a(const void* data, std::size_t bytes, std::uint64_t hash) {
  const auto* begin = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash = (hash ^ begin[i]) * 0x100000001b3u;
  return hash;
}

CacheFile::CacheFile(const fs::path& file) {
  if (file.empty()) return;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);  // PartialFile checks whether it exists
  try {
    file_.emplace(file.string());
    stream_.open(file_->path(), std::ios::binary);
  } catch (const Error&) {
    return;
  } catch (const std::bad_alloc&) {
    stream_.setstate(std::ios::badbit);
  }
}

void CacheFile::write(const void* data, std::size_t bytes) {
  if (stream_) stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

bool CacheFile::commit() {
  if (!file_ || !stream_.is_open() || !stream_) return false;
  stream_.close();
  if (!stream_) return false;
  try {
    file_->publish();
  } catch (const Error&) {
    return false;
  }
  return true;
}

}  // namespace armilla::core

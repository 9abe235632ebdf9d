#include <armilla/core/cache.hpp>

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

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

CacheFile::CacheFile(fs::path file) : file_(std::move(file)) {
  if (file_.empty()) return;
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);  // opening tells whether it is there
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  part_ = fmt::format("{}.{}.{}.part", file_.string(), host.data(), getpid());
  stream_.open(part_, std::ios::binary | std::ios::trunc);
}

CacheFile::~CacheFile() {
  if (part_.empty()) return;
  stream_.close();
  std::error_code error;
  fs::remove(part_, error);
}

void CacheFile::write(const void* data, std::size_t bytes) {
  if (stream_) stream_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
}

bool CacheFile::commit() {
  if (part_.empty() || !stream_.is_open()) return false;
  stream_.close();
  if (!stream_) return false;
  std::error_code error;
  fs::rename(part_, file_, error);
  if (error) return false;
  part_.clear();
  return true;
}

}  // namespace armilla::core

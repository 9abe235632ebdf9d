#include <armilla/core/absolute_path.hpp>

#include <filesystem>

namespace armilla::core {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& path) {
  const fs::path given(path);
  if (given.is_absolute()) return given.lexically_normal().string();
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  return (error ? given : folder / given).lexically_normal().string();
}

}  // namespace armilla::core

#include <armilla/core/error.hpp>
#include <armilla/draw/png.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

namespace armilla::draw {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// Removes a file at the end of its life, where it has not been renamed by then.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path) : path_(std::move(path)) {}
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

 private:
  std::string path_;
};

/// `.NAME.partial` beside the file, as all other writers name it.
std::string partial_path(const std::string& path) {
  const std::filesystem::path whole(path);
  return (whole.parent_path() / fmt::format(".{}.partial", whole.filename().string())).string();
}

[[noreturn]] void throw_cannot_create(const std::string& path, int error) {
  const std::string reason = std::strerror(error);
  if (error == ENOSPC || error == EDQUOT || error == EMFILE || error == ENFILE || error == EIO)
    throw core::ResourceError(fmt::format("cannot create picture '{}': {}", path, reason));
  throw core::InputError(
      fmt::format("cannot create picture '{}': {}; name a file in an existing, writable folder", path, reason));
}

[[noreturn]] void throw_cannot_write(const std::string& path, const std::string& reason) {
  throw core::ResourceError(
      fmt::format("cannot write picture '{}': {}; make room on its disk, or name another folder", path, reason));
}

void write_pixels(std::FILE* file, const Image& image, const std::string& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width());
  png.height = static_cast<png_uint_32>(image.height());
  png.format = PNG_FORMAT_RGB;
  static_assert(sizeof(Rgb) == 3, "libpng takes the pixels as they lie in memory");
  errno = 0;
  if (!png_image_write_to_stdio(&png, file, 0, image.pixels().data(), 0, nullptr))
    throw_cannot_write(path, errno != 0 ? std::strerror(errno) : png.message);
}

}  // namespace

void write_png(const std::string& path, const Image& image) {
  const std::string temporary_path = partial_path(path);
  File file(std::fopen(temporary_path.c_str(), "wb"));
  if (!file) throw_cannot_create(path, errno);
  const TemporaryFile temporary(temporary_path);
  write_pixels(file.get(), image, path);
  // A file system may report a full disk only here.
  if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0 || std::fclose(file.release()) != 0)
    throw_cannot_write(path, std::strerror(errno));
  if (std::rename(temporary_path.c_str(), path.c_str()) != 0) throw_cannot_create(path, errno);
}

}  // namespace armilla::draw

#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/draw/png.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

namespace armilla::draw {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void throw_cannot_write(const std::string& path, const std::string& reason) {
  throw core::ResourceError(
      fmt::format("cannot write picture '{}': {}; free space on its disk, or name another folder", path, reason));
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
  core::PartialFile partial(path);
  File file(std::fopen(partial.path().c_str(), "wb"));
  if (!file) throw_cannot_write(path, std::strerror(errno));
  write_pixels(file.get(), image, path);
  // A file system may report a full disk only here.
  if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0 || std::fclose(file.release()) != 0)
    throw_cannot_write(path, std::strerror(errno));
  partial.publish();
}

}  // namespace armilla::draw

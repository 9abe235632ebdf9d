#pragma once

#include <armilla/draw/canvas.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <cairo.h>
#include <gtest/gtest.h>

namespace armilla::draw {

/// The pixels of a PNG file, read back.
class Picture {
 public:
  explicit Picture(const std::string& png) {
    std::string_view rest = png;
    const auto take = [](void* closure, unsigned char* bytes, unsigned int count) {
      auto& left = *static_cast<std::string_view*>(closure);
      if (count > left.size()) return CAIRO_STATUS_READ_ERROR;
      std::memcpy(bytes, left.data(), count);
      left.remove_prefix(count);
      return CAIRO_STATUS_SUCCESS;
    };
    cairo_surface_t* surface = cairo_image_surface_create_from_png_stream(take, &rest);
    EXPECT_EQ(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    width_ = cairo_image_surface_get_width(surface);
    height_ = cairo_image_surface_get_height(surface);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) + 4 * x,
                    4);
        pixels_.push_back({static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
                           static_cast<std::uint8_t>(pixel)});
      }
    cairo_surface_destroy(surface);
  }

  int width() const { return width_; }
  int height() const { return height_; }
  Rgb at(int x, int y) const { return pixels_[static_cast<std::size_t>(y * width_ + x)]; }
  /// Row after row from the top.
  std::span<const Rgb> pixels() const { return pixels_; }

 private:
  int width_ = 0, height_ = 0;
  std::vector<Rgb> pixels_;
};

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The middle of the sphere of a Mollweide picture without titles, which starts at the margin, 0.025 of the width, and
/// is half as high as wide.
struct Middle {
  int x, y, half_width;
};
inline Middle middle_of_sphere(const Picture& image) {
  const double margin = std::round(0.025 * image.width());
  const double half_width = image.width() / 2.0 - margin;
  return {image.width() / 2, static_cast<int>(margin + half_width / 2), static_cast<int>(half_width)};
}

/// Ink of a black drawing on white, in full pixels.
inline double ink(const Picture& picture) {
  double sum = 0;
  for (const Rgb& pixel : picture.pixels()) sum += (255 - pixel.red) / 255.0;
  return sum;
}

inline int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace armilla::draw

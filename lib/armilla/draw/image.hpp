#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace armilla::draw {

/// A colour of the screen, sRGB with 8 bits per channel.
struct Rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const Rgb&, const Rgb&) = default;
};

inline constexpr Rgb kWhite{255, 255, 255};
inline constexpr Rgb kBlack{0, 0, 0};

/// A raster of width x height colours; x runs to the right, y down, (0, 0) is the corner at the top left.
class Image {
 public:
  /// All pixels are `background`. Throws InputError unless both sizes are in 1 .. 32767.
  Image(int width, int height, Rgb background = kWhite);

  int width() const { return width_; }
  int height() const { return height_; }
  Rgb at(int x, int y) const { return pixels_[position(x, y)]; }
  void set(int x, int y, Rgb color) { pixels_[position(x, y)] = color; }
  /// Mixes `color` into a pixel; opacity 0 leaves the pixel as it is, 1 replaces it.
  void blend(int x, int y, Rgb color, double opacity);
  /// Row after row from the top.
  std::span<const Rgb> pixels() const { return pixels_; }

 private:
  std::size_t position(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  int width_;
  int height_;
  std::vector<Rgb> pixels_;
};

}  // namespace armilla::draw

#include <armilla/core/error.hpp>
#include <armilla/draw/image.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::draw {
namespace {

constexpr int kLargestSide = 32767;

std::uint8_t mix(std::uint8_t under, std::uint8_t over, double opacity) {
  return static_cast<std::uint8_t>(std::lround(under + (static_cast<double>(over) - under) * opacity));
}

}  // namespace

Image::Image(int width, int height, Rgb background) : width_(width), height_(height) {
  if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide)
    throw core::InputError(fmt::format("a picture of {} x {} pixels cannot be drawn: each side must be in 1 .. {}",
                                       width, height, kLargestSide));
  pixels_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background);
}

void Image::blend(int x, int y, Rgb color, double opacity) {
  Rgb& pixel = pixels_[position(x, y)];
  pixel = {mix(pixel.red, color.red, opacity), mix(pixel.green, color.green, opacity),
           mix(pixel.blue, color.blue, opacity)};
}

}  // namespace armilla::draw

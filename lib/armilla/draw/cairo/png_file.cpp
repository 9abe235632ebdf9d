#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>
#include <armilla/draw/cairo/png_file.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>

#include <png.h>

namespace armilla::draw {
namespace {

using core::Index;

constexpr std::size_t kPaletteSize = 256;

std::uint32_t key_of(Rgb color) { return static_cast<std::uint32_t>(color.red << 16 | color.green << 8 | color.blue); }

/// A colour of the picture.
struct Shade {
  std::array<std::uint8_t, 3> channels;
  Index pixels = 0;
  Rgb color() const { return {channels[0], channels[1], channels[2]}; }
};

/// Shades first .. last - 1, which share one entry of the palette.
struct Box {
  std::size_t first, last;
  std::size_t channel = 0;  ///< channel in which the shades differ most
  int low = 0, high = 0;    ///< of that channel
  double importance = 0;    ///< 0 if all shades are equal
};

Box box_of(const std::vector<Shade>& shades, std::size_t first, std::size_t last) {
  Box box{first, last};
  Index pixels = 0;
  for (std::size_t i = first; i < last; ++i) pixels += shades[i].pixels;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    int low = 255, high = 0;
    for (std::size_t i = first; i < last; ++i) {
      low = std::min<int>(low, shades[i].channels[channel]);
      high = std::max<int>(high, shades[i].channels[channel]);
    }
    if (high - low > box.high - box.low) {
      box.channel = channel;
      box.low = low;
      box.high = high;
    }
  }
  // The square root gives weight to colours with few pixels, such as those of text.
  box.importance = (box.high - box.low) * std::sqrt(static_cast<double>(pixels));
  return box;
}

std::vector<Shade> shades_of(const Raster& raster) {
  std::unordered_map<std::uint32_t, Index> pixels;
  for (const Rgb& color : raster.pixels) ++pixels[key_of(color)];
  std::vector<Shade> shades;
  for (const auto& [key, count] : pixels)
    shades.push_back(
        {{static_cast<std::uint8_t>(key >> 16), static_cast<std::uint8_t>(key >> 8), static_cast<std::uint8_t>(key)},
         count});
  // Sorted, because the order of a hash table differs between libraries.
  std::ranges::sort(shades, {}, &Shade::channels);
  return shades;
}

/// Median cut: repeatedly splits the most important box in the middle of its longest side.
std::vector<Box> boxes_of(std::vector<Shade>& shades) {
  std::vector<Box> boxes{box_of(shades, 0, shades.size())};
  while (boxes.size() < kPaletteSize) {
    const auto widest = std::ranges::max_element(boxes, {}, &Box::importance);
    const Box box = *widest;
    if (box.importance == 0) break;
    const auto at = [&](std::size_t i) { return shades.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto lower = std::stable_partition(at(box.first), at(box.last), [&](const Shade& shade) {
      return 2 * shade.channels[box.channel] <= box.low + box.high;
    });
    const auto middle = static_cast<std::size_t>(lower - shades.begin());
    *widest = box_of(shades, box.first, middle);
    boxes.push_back(box_of(shades, middle, box.last));
  }
  return boxes;
}

}  // namespace

std::string png_file(const Raster& raster) {
  std::vector<Shade> shades = shades_of(raster);
  std::vector<std::uint8_t> palette;
  std::unordered_map<std::uint32_t, std::uint8_t> number;
  for (const Box& box : boxes_of(shades)) {
    const std::span<const Shade> own(shades.data() + box.first, box.last - box.first);
    const Shade& chosen = *std::ranges::max_element(own, {}, &Shade::pixels);
    for (const Shade& shade : own) number[key_of(shade.color())] = static_cast<std::uint8_t>(palette.size() / 3);
    palette.insert(palette.end(), chosen.channels.begin(), chosen.channels.end());
  }
  std::vector<std::uint8_t> pixels;
  pixels.reserve(raster.pixels.size());
  for (const Rgb& color : raster.pixels) pixels.push_back(number.at(key_of(color)));

  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(raster.width);
  image.height = static_cast<png_uint_32>(raster.height);
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(palette.size() / 3);
  std::string content(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = content.size();
  if (!png_image_write_to_memory(&image, content.data(), &size, 0, pixels.data(), 0, palette.data()))
    throw core::ResourceError(std::string("the picture cannot be written: libpng reports '") + image.message +
                              "'; make it smaller, or free memory");
  content.resize(size);
  return content;
}

}  // namespace armilla::draw

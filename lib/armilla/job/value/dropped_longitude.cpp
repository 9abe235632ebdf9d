#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/io/bad_data.hpp>
#include <armilla/io/read.hpp>
#include <armilla/job/value/dropped_longitude.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace armilla::job {

namespace {

using core::at;

/// Pixels that are read at a time.
constexpr Index kBlock = Index{1} << 20;

/// Largest difference of the two pixels, relative to the largest value of the ring: a rounding error in single
/// precision.
constexpr double kRounding = 1e-5;

/// Equal except for rounding errors, or both missing.
template <class T>
bool is_same(std::span<const T> ring) {
  const T first = ring.front(), last = ring.back();
  if (first == last || (std::isnan(first) && std::isnan(last))) return true;
  T largest = 0;
  for (const T value : ring)
    if (!io::is_bad_value(value, io::kBadPixel)) largest = std::max(largest, std::abs(value));
  return std::abs(first - last) <= kRounding * largest;
}

}  // namespace

template <class T>
io::BadPixels read_without_last_longitude(const io::MapInfo& info, Index component, io::Sign sign,
                                          transform::MapField<T>& map, Index place, Index c) {
  const std::span<const grid::Ring> in_file = info.grid->rings();
  const std::span<const grid::Ring> rings = map.distribution().grid().rings();
  std::span<T> out = map.component(place, c);
  std::vector<T> values;
  for (const dist::PixelRange& range : map.distribution().pixel_ranges(map.rank())) {
    auto ring = at(std::ranges::lower_bound(rings, range.first, {}, &grid::Ring::first_pixel) - rings.begin());
    for (Index left = range.count; left > 0;) {
      std::size_t end = ring;
      dist::PixelRange block{in_file[ring].first_pixel, 0};
      for (; left > 0 && (block.count == 0 || block.count + in_file[end].nphi <= kBlock); ++end) {
        block.count += in_file[end].nphi;
        left -= rings[end].nphi;
      }
      values.resize(at(block.count));
      io::read_map<T>(info, component, {&block, 1}, values, io::BadDataPolicy::kKeep);
      for (auto row = values.begin(); ring < end; ++ring) {
        const auto last = row + (in_file[ring].nphi - 1);
        if (!is_same(std::span<const T>(row, last + 1)))
          throw core::InputError(fmt::format(
              "'{}': component {}: the last pixel of ring {} is {}, but the first is {}: {} applies only to maps in "
              "which they are equal, remove it",
              info.path, io::field_text(info.metadata, component), ring, *last, *row,
              core::mention({}, "repeated_longitude", "drop")));
        std::copy(row, last, out.begin());
        out = out.subspan(at(rings[ring].nphi));
        row = last + 1;
      }
    }
  }
  return io::clean_values<T>(map.component(place, c), io::kBadPixel, io::BadDataPolicy::kMark, sign);
}

ARMILLA_INSTANTIATE(read_without_last_longitude);

}  // namespace armilla::job

#pragma once

#include <armilla/dist/distribution.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace armilla::ops {

/// The rings of a rank in pixel order, which differs from slot order.
struct RingOrder {
  std::vector<std::size_t> slot;   ///< [position in the order] slot of dist::PixelDistribution::local_rings
  std::vector<core::Index> begin;  ///< [position, and the end] first pixel within a component of the rank

  RingOrder(const dist::PixelDistribution& pixels, int rank) : begin(pixels.local_ring_pixels(rank)) {
    slot.resize(begin.size());
    std::iota(slot.begin(), slot.end(), std::size_t{0});
    std::ranges::sort(slot, {}, [&](std::size_t s) { return begin[s]; });
    std::ranges::sort(begin);
    begin.push_back(pixels.local_pixels(rank));
  }
};

}  // namespace armilla::ops

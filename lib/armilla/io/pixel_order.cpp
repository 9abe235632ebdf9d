#include <armilla/core/instantiate.hpp>
#include <armilla/io/pixel_order.hpp>

#include <algorithm>
#include <vector>

#include <chealpix.h>

namespace armilla::io {

namespace {

// 4^10 values: large enough for efficient disk access, small enough to skip most of a large map.
constexpr Index kNestedBlock = Index{1} << 20;

}  // namespace

Index PixelLookup::position(Index pixel) const {
  Index before = 0;
  for (const dist::PixelRange& range : ranges_) {
    if (pixel >= range.first && pixel < range.first + range.count) return before + pixel - range.first;
    before += range.count;
  }
  return -1;
}

bool PixelLookup::meets(Index first, Index last) const {
  return std::ranges::any_of(
      ranges_, [&](const dist::PixelRange& range) { return range.first <= last && range.first + range.count > first; });
}

Index ring_of_nested(Index nside, Index nested) {
  int64_t ring = 0;
  nest2ring64(nside, nested, &ring);
  return ring;
}

dist::PixelRange nested_block_bounds(Index nside, Index first, Index count) {
  // In a NESTED block, the last pixel has only one bits and is at the northern corner; the first has only zero bits and
  // is at the southern corner. No ring has more than 4 nside pixels, so one additional ring on either side covers the
  // rings of both corners.
  const Index north = ring_of_nested(nside, first + count - 1) - 4 * nside;
  const Index south = ring_of_nested(nside, first) + 4 * nside;
  const Index begin = std::max<Index>(north, 0);
  const Index end = std::min(south, 12 * nside * nside - 1);
  return {begin, end - begin + 1};
}

template <class T>
void read_in_ring_order(Ordering ordering, Index nside, std::span<const dist::PixelRange> ranges, std::span<T> out,
                        const BlockReader<T>& read) {
  if (ordering == Ordering::kRing) {
    T* target = out.data();
    for (const dist::PixelRange& range : ranges) {
      read(range.first, range.count, target);
      target += range.count;
    }
    return;
  }
  const PixelLookup lookup(ranges);
  const Index block = std::min(kNestedBlock, nside * nside);
  std::vector<T> values(static_cast<std::size_t>(block));
  for (Index first = 0; first < 12 * nside * nside; first += block) {
    const dist::PixelRange bounds = nested_block_bounds(nside, first, block);
    if (!lookup.meets(bounds.first, bounds.first + bounds.count - 1)) continue;
    read(first, block, values.data());
    for (Index i = 0; i < block; ++i) {
      const Index position = lookup.position(ring_of_nested(nside, first + i));
      if (position >= 0) out[static_cast<std::size_t>(position)] = values[static_cast<std::size_t>(i)];
    }
  }
}

template <class T>
void ring_to_nested(Index nside, std::span<const T> ring, std::span<T> nested) {
  for (Index i = 0; i < static_cast<Index>(nested.size()); ++i)
    nested[static_cast<std::size_t>(i)] = ring[static_cast<std::size_t>(ring_of_nested(nside, i))];
}

ARMILLA_INSTANTIATE(read_in_ring_order);
ARMILLA_INSTANTIATE(ring_to_nested);

}  // namespace armilla::io

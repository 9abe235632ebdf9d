#pragma once

#include <armilla/core/types.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>

#include <functional>
#include <span>

namespace armilla::io {

/// NESTED order is of nside 1, 2, 4, 8 and so on; other nside have RING order only.
constexpr bool has_nested_order(Index nside) { return nside > 0 && (nside & (nside - 1)) == 0; }

/// Position, among the pixels of ranges laid one after the other, of a pixel of the grid.
class PixelLookup {
 public:
  explicit PixelLookup(std::span<const dist::PixelRange> ranges) : ranges_(ranges) {}
  /// -1 for a pixel outside all ranges.
  Index position(Index pixel) const;
  /// True if a range has pixels among first .. last.
  bool meets(Index first, Index last) const;

 private:
  std::span<const dist::PixelRange> ranges_;
};

/// First and last pixel, in RING order, that `count` consecutive NESTED pixels from `first` can have; `count` is a
/// power of 4 that divides `first`. The block is a diamond on the sphere, so its two ends in latitude bound it.
dist::PixelRange nested_block_bounds(Index nside, Index first, Index count);

/// Gives count consecutive values of the file, from its pixel `first` on.
template <class T>
using BlockReader = std::function<void(Index first, Index count, T* values)>;

/// Reads the ranges (RING order) of a full-sky component through `read`. A NESTED file is streamed in blocks of bounded
/// size, of which those without any pixel of the ranges are skipped.
template <class T>
void read_in_ring_order(Ordering ordering, Index nside, std::span<const dist::PixelRange> ranges, std::span<T> out,
                        const BlockReader<T>& read);

/// A full component in RING order, reordered to NESTED.
template <class T>
void ring_to_nested(Index nside, std::span<const T> ring, std::span<T> nested);

/// RING number of a NESTED pixel.
Index ring_of_nested(Index nside, Index nested);

}  // namespace armilla::io

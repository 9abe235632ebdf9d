#pragma once

#include <armilla/core/types.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/io/metadata.hpp>

#include <functional>
#include <span>

namespace armilla::io {

/// NESTED order requires nside 1, 2, 4, 8 and so on; other nside have only RING order.
constexpr bool has_nested_order(Index nside) { return nside > 0 && (nside & (nside - 1)) == 0; }

/// Position of a pixel of the grid in the concatenation of ranges.
class PixelLookup {
 public:
  explicit PixelLookup(std::span<const dist::PixelRange> ranges) : ranges_(ranges) {}
  /// Returns -1 for a pixel outside all ranges.
  Index position(Index pixel) const;
  /// True if a range contains any of the pixels first .. last.
  bool meets(Index first, Index last) const;

 private:
  std::span<const dist::PixelRange> ranges_;
};

/// First and last pixel, in RING order, that `count` consecutive NESTED pixels starting at `first` can have; `count` is
/// a power of 4 that divides `first`. The block is a diamond on the sphere, so its two ends in latitude bound it.
dist::PixelRange nested_block_bounds(Index nside, Index first, Index count);

/// Returns `count` consecutive values of the file, starting at its pixel `first`.
template <class T>
using BlockReader = std::function<void(Index first, Index count, T* values)>;

/// Reads the ranges (RING order) of a full-sky component through `read`. A NESTED file is streamed in blocks of bounded
/// size; blocks without any pixel of the ranges are skipped.
template <class T>
void read_in_ring_order(Ordering ordering, Index nside, std::span<const dist::PixelRange> ranges, std::span<T> out,
                        const BlockReader<T>& read);

/// A full component in RING order, reordered to NESTED.
template <class T>
void ring_to_nested(Index nside, std::span<const T> ring, std::span<T> nested);

/// RING index of a NESTED pixel.
Index ring_of_nested(Index nside, Index nested);

}  // namespace armilla::io

#pragma once

#include <armilla/backend/array_size.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <kernels/nufft/placement.hpp>
#include <kernels/sort/sort.hpp>

namespace armilla::backend {

/// Points in the memory of a device, sorted by the cell in which their windows begin, and by number within a cell.
template <class T>
struct PlacedPoints {
  std::shared_ptr<const kernels::NufftPoint<T>> points;
  std::vector<Index> cell_begin;  ///< [cell, and the end] on the host
  std::optional<Index> outside;   ///< the first point that is out of range (kernels::nufft_place); the others are valid
};

/// Arrays for sorting points by cells. Two copies of keys and numbers, which the passes of a sort overwrite in turn.
struct PointSortSizes {
  ArraySize<std::uint32_t> keys, numbers;
  ArraySize<std::uint32_t> places;  ///< kernels::DigitSortOf
  ArraySize<std::uint32_t> begins;  ///< kernels::KeyBeginsOf; a further cell has the points out of range

  PointSortSizes(Index points, Index cells)
      : keys{points}, numbers{points}, places{kernels::sort_places(points)}, begins{cells + 2} {}

  Index bytes() const { return 2 * (keys.bytes() + numbers.bytes()) + places.bytes() + begins.bytes(); }
};

/// Device memory while points are placed, in addition to the placed points: their angles, and arrays for sorting. The
/// placed points are allocated when only the sorted numbers are left of these.
template <class T>
Index placing_bytes(Index points, Index cells) {
  const PointSortSizes sizes(points, cells);
  const Index angles = 2 * points * static_cast<Index>(sizeof(double));
  const Index placed = points * static_cast<Index>(sizeof(kernels::NufftPoint<T>));
  return angles + std::max(sizes.numbers.bytes(), sizes.bytes() - placed);
}

}  // namespace armilla::backend

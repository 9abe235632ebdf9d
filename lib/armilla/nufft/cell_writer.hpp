#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/nufft/place_points.hpp>

#include <cstdint>

namespace armilla::nufft {

/// Writes points to the memory of their cells in whole cache lines that bypass the caches: points of neighbouring cells
/// are far apart, so ordinary stores would read each line first, and points in random order would read it for each of
/// its points. Several threads may write different points of the same cells.
class CellWriter {
 public:
  /// The points of cell c begin at points[first[c]], where `points` is aligned to a cache line. Both arrays must
  /// outlive this object.
  CellWriter(Index cells, const std::uint32_t* first, PlacedPoint* points);

  /// Appends the points of a block to those of their cells. Vectorised with run-time dispatch.
  void put(const PlacedBlock& block);
  /// Writes the points that do not fill a line. Other threads can read the points after this call and a barrier.
  void finish();

  /// Bytes per cell.
  static constexpr Index kCellBytes = 64 + sizeof(std::uint32_t);

 private:
  const std::uint32_t* first_;
  PlacedPoint* points_;
  core::AlignedBuffer<std::uint32_t> next_;  ///< [cell] index of the next point
  core::AlignedBuffer<PlacedPoint> lines_;   ///< [cell][kPointsPerLine] points of the line that contains the next one
};

}  // namespace armilla::nufft

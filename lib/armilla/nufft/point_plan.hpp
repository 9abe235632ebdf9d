#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/nufft/cell_grid.hpp>
#include <armilla/nufft/kernel_choice.hpp>
#include <armilla/nufft/kernel_table.hpp>
#include <armilla/nufft/placed_point.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace armilla::nufft {

/// Points of one cell that are processed together. Cells with more than kChunk points have several chunks.
struct PointChunk {
  Index cell;
  Index begin, end;  ///< indices in the placed points
};
inline constexpr Index kChunk = 8192;
/// Chunks of all points, ascending by cell and begin; empty cells have no chunk. cell_begin: [cell, and the end].
std::vector<PointChunk> make_chunks(std::span<const Index> cell_begin);
/// Throws InputError for more than 2^32 - 1 points.
void check_point_count(Index points);

/// The first row of the fine grid in the window of a point at `theta` in [0, pi]. A band for the point must contain
/// this row and the next width - 1 rows. Throws InputError for theta outside this range.
Index window_row(const KernelChoice& choice, double theta);

/// The band of all rows that windows of points in [0, pi] can reach, fine_length / 2 + width rows.
Band sphere_band(const KernelChoice& choice);

/// Points in any order, sorted by the cells of a band, and by index within a cell. The result is identical on any
/// number of threads.
///
/// T is the precision of fields. Coordinates are double, and windows are placed with more than double precision.
template <class T>
class PointPlan {
 public:
  /// Copies the required data from the coordinates. theta is in [0, pi], phi any finite angle, both in radian. Throws
  /// InputError for coordinates out of range, for a point whose window is not within the band, and for more than 2^32 -
  /// 1 points.
  PointPlan(const KernelChoice& choice, const Band& band, std::span<const double> theta, std::span<const double> phi);

  Index size() const { return points_.size(); }
  const KernelChoice& choice() const { return choice_; }
  const Band& band() const { return band_; }
  const CellGrid& grid() const { return grid_; }
  const KernelTable<T>& table() const { return table_; }

  std::span<const PlacedPoint> points() const { return points_.span(); }
  /// Chunks of all points, ascending by cell and begin; empty cells have no chunk.
  std::span<const PointChunk> chunks() const { return chunks_; }
  /// Chunks of cell c: chunk_begin()[c] .. chunk_begin()[c + 1] - 1.
  std::span<const Index> chunk_begin() const { return chunk_begin_; }

  static core::MemoryEstimate memory(const KernelChoice& choice, const Band& band, Index points);

 private:
  /// Adds points begin .. end - 1 to the counts of their cells.
  void count(std::span<const double> theta, std::span<const double> phi, Index begin, Index end,
             std::uint32_t* counts) const;
  /// Stores points begin .. end - 1, those of each cell from index `first`[cell].
  void place(std::span<const double> theta, std::span<const double> phi, Index begin, Index end,
             const std::uint32_t* first);
  void sort(std::span<const double> theta, std::span<const double> phi);

  KernelChoice choice_;
  Band band_;
  CellGrid grid_;
  KernelTable<T> table_;
  core::AlignedBuffer<PlacedPoint> points_;
  std::vector<PointChunk> chunks_;
  std::vector<Index> chunk_begin_;
};

}  // namespace armilla::nufft

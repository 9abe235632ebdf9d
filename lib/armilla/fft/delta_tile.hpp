#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/fold.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::fft {

/// Delta_m of adjacent columns (ring, component, map) for kTileM values of m, one row per column. In memory, values of
/// one m are adjacent, and those of consecutive m are far apart.
template <class T>
class DeltaTile {
 public:
  /// Position of a column in the Delta of each m, and the number of m that it has.
  struct Column {
    Index row;
    Index position;
    Index m_count;
  };
  explicit DeltaTile(Index rows);

  void clear() { columns_.clear(); }
  /// Columns must be added in ascending order of `position`.
  void add(const Column& column) { columns_.push_back(column); }
  /// Call after the last column.
  void finish();

  std::complex<T>* row(Index row) { return values_.data() + row * kStride; }
  /// Reads or writes the values of those m = first .. first + count - 1 that the columns have. `streamed` writes whole
  /// cache lines with non-temporal stores.
  void gather(std::span<const Index> m_shift, Index first, Index count, const std::complex<T>* delta);
  void scatter(std::span<const Index> m_shift, Index first, Index count, bool streamed, std::complex<T>* delta);

 private:
  // Columns that are consecutive both in the tile and in Delta.
  struct Run {
    std::size_t begin, end;  // in columns_
    Index min_m, max_m;      // of their m_count
  };

  // Calls of_block(position, block) for the m that all columns of a run have, and of_value(position, value in the tile)
  // for the others.
  template <class OfBlock, class OfValue>
  void for_each(std::span<const Index> m_shift, Index first, Index count, bool streamed, const OfBlock& of_block,
                const OfValue& of_value);

  // Rows of a power-of-two length would map to the same few cache sets.
  static constexpr Index kStride = kTileM + 64 / static_cast<Index>(sizeof(std::complex<T>));
  core::AlignedBuffer<std::complex<T>> values_;
  std::vector<Column> columns_;
  std::vector<Run> runs_;
};

}  // namespace armilla::fft

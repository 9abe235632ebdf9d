#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/fold.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::fft {

/// Delta_m of some neighbouring columns (ring, component, map) for kTileM values of m, one row per column. In memory
/// values of one m are neighbours and those of neighbouring m far apart.
template <class T>
class DeltaTile {
 public:
  /// Where a column stands in the Delta of each m, and how many m it has.
  struct Column {
    Index row;
    Index position;
    Index m_count;
  };
  explicit DeltaTile(Index rows);

  void clear() { columns_.clear(); }
  /// Columns are added in ascending order of `position`.
  void add(const Column& column) { columns_.push_back(column); }
  /// To be called after the last column.
  void finish();

  std::complex<T>* row(Index row) { return values_.data() + row * kStride; }
  /// Reads, or writes, the values of m = first .. first + count - 1 that the columns have; `streamed` writes whole
  /// lines past the caches.
  void gather(std::span<const Index> m_shift, Index first, Index count, const std::complex<T>* delta);
  void scatter(std::span<const Index> m_shift, Index first, Index count, bool streamed, std::complex<T>* delta);

 private:
  // Columns that follow each other in the tile and in Delta alike.
  struct Run {
    std::size_t begin, end;  // of columns_
    Index min_m, max_m;      // of their m_count
  };

  // Calls of_block(position, block) for what all columns of a run have, of_value(position, place in the tile) for the
  // rest.
  template <class OfBlock, class OfValue>
  void for_each(std::span<const Index> m_shift, Index first, Index count, bool streamed, const OfBlock& of_block,
                const OfValue& of_value);

  // Rows of a power of two would fall onto the same few sets of the cache.
  static constexpr Index kStride = kTileM + 64 / static_cast<Index>(sizeof(std::complex<T>));
  core::AlignedBuffer<std::complex<T>> values_;
  std::vector<Column> columns_;
  std::vector<Run> runs_;
};

}  // namespace armilla::fft

#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/nufft/cell_grid.hpp>
#include <armilla/transform/ring_halo.hpp>

#include <span>
#include <vector>

namespace armilla::points {

using core::Index;

/// The rows of a band of the fine grid for all fields of a call, as nufft expects them. They are local rows of the
/// fields, rows of other ranks from a halo, and rows beyond the poles. The latter are the rows before the pole, shifted
/// by half a turn and multiplied by (-1)^spin. The fine grid is a grid of rings with `rows` rows of `columns` pixels,
/// row i at pi (i + 1/2) / rows.
template <class T>
class TorusRows {
 public:
  /// `pixels`: distribution of the fine grid; `spins` is [field].
  TorusRows(const dist::PixelDistribution& pixels, int rank, const nufft::Band& band, std::span<const Index> spins);
  /// Upper bound on the bytes of one object.
  static Index bytes(Index columns, const nufft::Band& band, Index fields);

  const nufft::Band& band() const { return band_; }

  /// Collects the rows of the fields for reading. The pointers are valid until the fields or the rows of the halo
  /// change.
  void gather(const transform::RingHalo<T>& halo);
  /// Collects the rows of the fields [field][local pixel] and of the halo for overwriting.
  void prepare(transform::RingHalo<T>& halo, std::span<const std::span<T>> fields);
  /// After prepare(): [field][row of the band]
  std::span<T* const* const> to() const { return to_; }
  /// After gather().
  std::span<const T* const* const> from() const { return from_; }
  /// Call after the rows were overwritten. Adds the rows beyond the poles to the rows that they mirror.
  void fold();

 private:
  /// Source of a row of the band: the row of the fine grid, and whether it is beyond a pole.
  struct Source {
    Index row;
    bool mirrored;
  };
  Source source(Index row) const;
  Index pair_of(Index row) const { return std::min(row, rows_ - 1 - row); }
  bool is_north(Index row) const { return row < rows_ / 2; }

  Index rows_, columns_;
  nufft::Band band_;
  std::vector<Index> spins_;           // [field]
  std::vector<Index> place_;           // [pair, north, south] offset of local rows in a field; -1: row of another rank
  std::vector<Index> mirrored_;        // [row of the band] index of its separate array; -1: none
  core::AlignedBuffer<T> past_poles_;  // [field][mirrored row][column]
  Index mirrored_count_ = 0;
  std::vector<T*> writable_;           // [field][row]
  std::vector<const T*> readable_;     // [field][row]
  std::vector<T* const*> to_;          // [field]
  std::vector<const T* const*> from_;  // [field]
};

}  // namespace armilla::points

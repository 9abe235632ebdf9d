#pragma once

#include <armilla/alm/alm_layout.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::dist {

using alm::AlmLayout;
using core::Index;
using grid::RingGrid;

/// Consecutive pixels of the grid.
using PixelRange = core::IndexRange;

/// Pairs first .. end - 1 of RingGrid::pairs().
struct PairRange {
  Index first;  ///< index of the first pair
  Index end;    ///< index of the last pair plus one
};

/// The owner of a pixel or coefficient, and its position in the values of a component there.
struct OwnedPlace {
  int rank;     ///< of the owner
  Index index;  ///< in its values of a component
};

/// Assignment of pixels to ranks: contiguous blocks of north-south ring pairs, chosen to minimise the largest cost of a
/// block, with joined pairs on one rank. A pure function of the grid and the number of ranks, so any rank can compute
/// the pixels of any other. Surplus ranks own no pixels.
class PixelDistribution {
 public:
  /// The pixels of the grid on `ranks` ranks, at least 1.
  PixelDistribution(std::shared_ptr<const RingGrid> grid, int ranks);

  /// The whole grid.
  const RingGrid& grid() const { return *grid_; }
  /// The whole grid, with shared ownership.
  std::shared_ptr<const RingGrid> shared_grid() const { return grid_; }
  /// Number of ranks.
  int ranks() const { return ranks_; }
  /// Ring pairs pair_begin(r) .. pair_begin(r + 1) - 1 of grid().pairs() belong to rank r.
  Index pair_begin(int rank) const { return pair_begin_[static_cast<std::size_t>(rank)]; }
  /// The ring pairs of the rank.
  PairRange own_pairs(int rank) const { return {pair_begin(rank), pair_begin(rank + 1)}; }
  /// The rank's pixels in local order: its northern pixels, then its southern ones; at most two ranges, none empty.
  std::vector<PixelRange> pixel_ranges(int rank) const;
  /// Number of the rank's pixels.
  Index local_pixels(int rank) const { return local_pixels_[static_cast<std::size_t>(rank)]; }
  /// The rank that owns a pixel of the grid, 0 <= pixel < grid().npix(), and its position in the rank's local order.
  OwnedPlace place(Index pixel) const;
  /// The rank's rings in the order of its part of Delta: pair by pair, north before south.
  std::vector<Index> local_rings(int rank) const;
  /// Positions of the first pixels of local_rings() in the local pixels of the rank.
  std::vector<Index> local_ring_pixels(int rank) const;

 private:
  /// A range of pixel_ranges(), and where it begins on its rank.
  struct Range {
    Index first_pixel;
    OwnedPlace begin;
  };

  std::shared_ptr<const RingGrid> grid_;
  int ranks_;
  std::vector<Index> pair_begin_;
  std::vector<Range> ranges_;        // of all ranks, by first pixel
  std::vector<Index> local_pixels_;  // [rank]
};

/// Assignment of m to ranks: in ascending order, each m is assigned to the rank with the least work in the Legendre
/// stage so far, including the polar cut, so that ranks have equal work. A pure function of the layout and the number
/// of ranks. Fields that repeat `m_step` times around the axis have only multiples of m_step; with a grid of one period
/// of phi, stretched to a full turn, ring transforms use m / m_step for m.
class AlmDistribution {
 public:
  /// The coefficients of the layout on `ranks` ranks, at least 1.
  AlmDistribution(AlmLayout layout, int ranks, Index m_step = 1);

  const AlmLayout& layout() const { return layout_; }  ///< lmax and mmax
  int ranks() const { return ranks_; }                 ///< number of ranks
  Index m_step() const { return m_step_; }             ///< periods of the fields around the axis
  /// The rank that owns m, a multiple of m_step.
  int owner(Index m) const;
  /// The rank's m, ascending.
  std::vector<Index> local_m(int rank) const;
  /// Number of coefficients of one component of the rank: those of its m, one m after the other, l = m .. lmax.
  Index local_size(int rank) const { return owners_->local_sizes[static_cast<std::size_t>(rank)]; }
  /// For each of local_m(): position of (l = 0, m) in the rank's local coefficients; (l, m) is at offset + l.
  std::vector<Index> local_offsets(int rank) const;
  /// [m] The owner of each m, a multiple of m_step; the position of (l, m) there is `index` + l.
  std::vector<OwnedPlace> places() const;

 private:
  struct Owners {
    std::vector<int> of_m;           // [m / m_step]
    std::vector<Index> local_sizes;  // [rank]
  };

  AlmLayout layout_;
  int ranks_;
  Index m_step_;
  std::shared_ptr<const Owners> owners_;
};

}  // namespace armilla::dist

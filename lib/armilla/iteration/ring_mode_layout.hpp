#pragma once

#include <armilla/iteration/ring_columns.hpp>
#include <armilla/iteration/types.hpp>

#include <algorithm>
#include <complex>
#include <span>
#include <vector>

#include <omp.h>

namespace armilla::iteration {

/// Storage of the ring modes of one spin field, and the modes into which each m is folded. It covers the rings of one
/// rank, by slots, with `width` = components * maps values each.
class RingModeLayout {
 public:
  RingModeLayout(const SpinTables& tables, Index mmax, Index width);
  RingModeLayout(const RingModeLayout&) = delete;
  RingModeLayout& operator=(const RingModeLayout&) = delete;

  const RingColumns& columns() const { return columns_; }
  Index slots() const { return static_cast<Index>(rings_.size()); }
  /// Number of complex values.
  Index size() const { return size_; }
  /// Offset of S_c for slot 0.
  Index shift(Index c) const { return shift_[static_cast<std::size_t>(c)]; }
  /// The first slot to which m contributes; m contributes to all later slots.
  Index first_slot(Index m) const { return first_slot_[static_cast<std::size_t>(m)]; }
  /// True if m is not aliased on any ring to which it contributes.
  bool is_plain(Index m) const { return plain_[static_cast<std::size_t>(m)]; }
  /// The FFT task from maps of the spin field to their ring modes.
  fft::RingTask ring_task(const SpinTables& tables, Index maps) const;
  /// Multiplicity of |S_c|^2 in nphi times the sum of squares over pixels: two if its conjugate also contributes,
  /// otherwise one.
  double multiplicity(Index c, Index slot) const {
    return math::RingAlias::is_own_mirror(c, aliases_.nphi(slot)) ? 1 : 2;
  }
  /// The ring of a slot.
  const fft::RingShape& ring(Index slot) const { return rings_[static_cast<std::size_t>(slot)]; }
  /// The factors for subtract_column from pixel weights: the weights times the number of pixels of the ring.
  std::vector<double> factors(std::span<const double> weight) const;

  /// size() of a layout with these parameters.
  static Index size_of(const SpinTables& tables, Index mmax, Index width);

 private:
  std::vector<fft::RingShape> rings_;  ///< [slot] m_count: number of classes
  RingAliases aliases_;
  std::vector<Index> shift_;       ///< [c]
  std::vector<Index> first_slot_;  ///< [m]
  std::vector<bool> plain_;        ///< [m]
  Index size_ = 0;
  RingColumns columns_;
};

/// Number of slots that a thread processes at a time.
inline constexpr Index kSlotRun = 8;

/// Calls work(SlotRange) for runs of slots, on all threads. Each thread processes all m of its slots in order, so
/// aliases are summed in the order of m.
template <class Work>
void over_slots(Index slots, const Work& work) {
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads();
    const Index thread = omp_get_thread_num();
    // The last slots, at the equator, have the most m, so runs are assigned round-robin.
    for (Index begin = thread * kSlotRun; begin < slots; begin += threads * kSlotRun)
      work(SlotRange{begin, std::min(begin + kSlotRun, slots)});
  }
}

}  // namespace armilla::iteration

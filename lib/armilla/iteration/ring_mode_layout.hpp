#pragma once

#include <armilla/iteration/ring_columns.hpp>
#include <armilla/iteration/types.hpp>

#include <algorithm>
#include <complex>
#include <span>
#include <vector>

#include <omp.h>

namespace armilla::iteration {

/// Where the ring modes of one spin field stand, and which of them an m is folded into: for the rings of one rank,
/// by slots, and `width` = components * maps numbers of each.
class RingModeLayout {
 public:
  RingModeLayout(const SpinTables& tables, Index mmax, Index width);
  RingModeLayout(const RingModeLayout&) = delete;
  RingModeLayout& operator=(const RingModeLayout&) = delete;

  const RingColumns& columns() const { return columns_; }
  Index slots() const { return static_cast<Index>(rings_.size()); }
  /// Of complex numbers.
  Index size() const { return size_; }
  /// Where S_c of slot 0 would stand.
  Index shift(Index c) const { return shift_[static_cast<std::size_t>(c)]; }
  /// The first slot that feels m, all behind which do.
  Index first_slot(Index m) const { return first_slot_[static_cast<std::size_t>(m)]; }
  /// True where m is its own class on all rings that feel it.
  bool is_plain(Index m) const { return plain_[static_cast<std::size_t>(m)]; }
  /// Of maps of the spin field to their ring modes. `map_stride`: numbers from map to map.
  fft::RingTask ring_task(const SpinTables& tables, Index maps) const;
  /// How often |S_c|^2 counts in nphi times the sum of squares over the pixels: twice, for its conjugate too, or once.
  double multiplicity(Index c, Index slot) const {
    return math::RingAlias::is_own_mirror(c, aliases_.nphi(slot)) ? 1 : 2;
  }
  /// Of a slot.
  const fft::RingShape& ring(Index slot) const { return rings_[static_cast<std::size_t>(slot)]; }
  /// What turns a weight of a pixel of a ring into subtract_column's factor: its number of pixels.
  std::vector<double> factors(std::span<const double> weight) const;

  /// size() of one.
  static Index size_of(const SpinTables& tables, Index mmax, Index width);

 private:
  std::vector<fft::RingShape> rings_;  ///< [slot] m_count: classes
  RingAliases aliases_;
  std::vector<Index> shift_;       ///< [c]
  std::vector<Index> first_slot_;  ///< [m]
  std::vector<bool> plain_;        ///< [m]
  Index size_ = 0;
  RingColumns columns_;
};

/// Slots that a thread takes at once.
inline constexpr Index kSlotRun = 8;

/// Calls work(SlotRange) for runs of slots, on all threads. Each thread goes through all m of its slots in order, so
/// aliases are summed up in the order of m.
template <class Work>
void over_slots(Index slots, const Work& work) {
#pragma omp parallel
  {
    const Index threads = omp_get_num_threads();
    const Index thread = omp_get_thread_num();
    // The last slots, at the equator, feel the most m: dealt out in turns.
    for (Index begin = thread * kSlotRun; begin < slots; begin += threads * kSlotRun)
      work(SlotRange{begin, std::min(begin + kSlotRun, slots)});
  }
}

}  // namespace armilla::iteration

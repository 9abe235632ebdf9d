#pragma once

#include <armilla/backend/scalar_stage_shape.hpp>
#include <armilla/fft/ring_transform.hpp>

#include <vector>

#include <kernels/rings/ring_modes.hpp>

namespace armilla::backend {

/// Host tables of ring modes with the layout of Delta of a task; devices copy them.
class RingModeTables {
 public:
  explicit RingModeTables(const fft::RingTask& task);

  const std::vector<kernels::SpectraRing>& rings() const { return rings_; }  ///< [slot]
  const std::vector<math::Turn>& turns() const { return turns_; }
  const std::vector<Index>& first_slot() const { return first_slot_; }  ///< [m] first slot to which m contributes
  /// Whether some of these m are aliases of other m on any ring.
  bool have_aliases(const OrderRange& orders) const;
  /// All m, divided into the longest possible ranges in which no two m are aliases on any ring.
  std::vector<OrderRange> independent_ranges() const;

  /// Device memory, including factors of rings and maps, and squares of maps on rings.
  static core::MemoryEstimate memory(const fft::RingTask& task);

 private:
  std::vector<kernels::SpectraRing> rings_;
  std::vector<math::Turn> turns_;
  std::vector<Index> first_slot_;
  std::vector<bool> is_alias_;  ///< [m] on some ring to which it contributes
};

}  // namespace armilla::backend

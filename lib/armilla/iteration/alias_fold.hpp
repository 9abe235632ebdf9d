#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/iteration/ring_mode_layout.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::iteration {

/// The operation of the rings of a map on its Delta, between a synthesis and its adjoint. Orders m that a ring cannot
/// distinguish are combined.
template <class T>
class AliasFold {
 public:
  using Complex = std::complex<T>;

  /// `tables` must outlive this object.
  AliasFold(const SpinTables& tables, Index mmax);

  /// Transforms Delta on the ring side, in place, to the sum over pixels of map exp(-i m phi), for a map with that
  /// Delta. `weight` [sr] is the weight of one pixel, for each local ring. Uses all threads of the rank; one call at a
  /// time. Throws std::bad_alloc if memory is insufficient.
  void apply(std::span<const double> weight, Complex* delta);

  static core::MemoryEstimate memory(Index mmax, Index width);

 private:
  const SpinTables& tables_;
  RingModeLayout layout_;
  Index size_;
  std::vector<core::AlignedBuffer<Complex>> some_;  ///< [thread] modes of a run of consecutive slots
};

}  // namespace armilla::iteration

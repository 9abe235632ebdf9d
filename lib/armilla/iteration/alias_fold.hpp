#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/iteration/ring_mode_layout.hpp>

#include <complex>
#include <span>
#include <vector>

namespace armilla::iteration {

/// What the rings of a map make of its Delta, between a synthesis and its adjoint: m that a ring cannot tell apart
/// meet.
template <class T>
class AliasFold {
 public:
  using Complex = std::complex<T>;

  /// `tables` outlive it.
  AliasFold(const SpinTables& tables, Index mmax);

  /// Delta on the ring side, in place: to sum over the pixels of a map with that Delta of map exp(-i m phi), times
  /// `weight` [sr] of a pixel of each own ring. On the threads of the rank; one call at a time. Throws
  /// std::bad_alloc where its memory does not fit.
  void apply(std::span<const double> weight, Complex* delta);

  static core::MemoryEstimate memory(Index mmax, Index width);

 private:
  const SpinTables& tables_;
  RingModeLayout layout_;
  Index size_;
  std::vector<core::AlignedBuffer<Complex>> some_;  ///< [thread] of neighbouring slots
};

}  // namespace armilla::iteration

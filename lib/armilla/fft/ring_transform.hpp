#pragma once

#include <armilla/fft/real_plan.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::fft {

/// One ring of the rank that computes.
struct RingShape {
  Index nphi;
  double phi0;    ///< [rad]
  Index pixel;    ///< where its pixels begin in a component of the map
  Index m_count;  ///< Delta_m exists for m = 0 .. m_count - 1
};

/// What one rank's ring FFTs work on. Delta_m of ring slot s, component c, map k stands at
/// m_shift[m] + s * components * maps + c * maps + k; pixels of it from map_stride * k + component_stride * c on.
/// Spans refer to tables that outlive the transform.
struct RingTask {
  std::span<const RingShape> rings;
  std::span<const Index> m_shift;
  Index components = 1;
  Index maps = 1;
  Index component_stride = 0;
  Index map_stride = 0;

  Index width() const { return components * maps; }
};

/// Fourier transforms along rings, with the phase of the first pixel; m above nphi / 2 are folded onto the spectrum of
/// the ring (aliasing), which keeps synthesis and adjoint exact for any nphi >= 1. OpenMP over rings.
template <class T>
class RingTransform {
 public:
  /// Plans of lengths that `plans` lacks are added to it; parts of a field share it.
  RingTransform(RingTask task, std::shared_ptr<PlanCache<T>> plans);

  /// map(phi) = Re Delta_0 + 2 Re sum over m > 0 of Delta_m exp(i m phi); overwrites the rank's pixels.
  void synthesis(const std::complex<T>* delta, T* map) const;
  /// Delta_m = factor[ring] * sum over the ring's pixels of map exp(-i m phi); an empty `factor` means 1. Overwrites
  /// delta.
  void adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) const;

 private:
  struct Workspace;
  RingTask task_;
  std::shared_ptr<PlanCache<T>> plans_;
  std::vector<Index> order_;  ///< ring slots, the longest first
  Index longest_ = 0;
  Index most_m_ = 0;
};

extern template class RingTransform<float>;
extern template class RingTransform<double>;

}  // namespace armilla::fft

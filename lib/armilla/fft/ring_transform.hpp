#pragma once

#include <armilla/fft/ring_fft.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::fft {

/// One ring of the rank that computes.
struct RingShape {
  Index nphi;
  double phi0;         ///< [rad]
  Index pixel;         ///< where its pixels begin in a component of the map
  Index m_count;       ///< Delta_m exists for m = 0 .. m_count - 1
  Index partner = -1;  ///< slot of the ring that it shares a transform with, its mirror image mostly, which names this
                       ///< one in turn; -1 where none
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
/// the ring (aliasing), which keeps synthesis and adjoint exact for any nphi >= 1. OpenMP over blocks of rings.
/// A ring and its partner share one complex transform as real and imaginary part where both have the same nphi and
/// m_count. Results depend on the grid and the layout only as long as partners are always on one rank.
/// Each thread keeps its working arrays from call to call, so one transform is for one caller at a time.
template <class T>
class RingTransform {
 public:
  /// Plans of lengths that `plans` lacks are added to it; spin fields share it.
  RingTransform(RingTask task, std::shared_ptr<PlanCache<T>> plans);
  ~RingTransform();
  RingTransform(const RingTransform&) = delete;
  RingTransform& operator=(const RingTransform&) = delete;

  /// map(phi) = factor[ring] * (Re Delta_0 + 2 Re sum over m > 0 of Delta_m exp(i m phi)); an empty `factor` means 1.
  /// Overwrites the rank's pixels.
  void synthesis(const std::complex<T>* delta, T* map, std::span<const double> factor = {});
  /// Delta_m = factor[ring] * sum over the ring's pixels of map exp(-i m phi); an empty `factor` means 1. Overwrites
  /// delta.
  void adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta);

  /// Without plans.
  static core::MemoryEstimate memory(const RingTask& task);

 private:
  /// What one complex transform does: ring slot `real` and, where there is one, its partner `imaginary`.
  struct Unit {
    Index real;
    Index imaginary;  ///< -1 where none
  };
  /// Neighbouring units, whose Delta_m is read and written in one run per m.
  struct Block {
    std::size_t begin, end;  ///< of units_
    Index nphi;              ///< the longest
    Index m_count;           ///< the most
    double cost;
  };
  class Workspace;

  void make_units();
  void make_blocks();
  /// Calls work(workspace, block, first w, number of w), in parallel over blocks, the most expensive first.
  template <class Work>
  void for_each_block(const Work& work);

  RingTask task_;
  std::shared_ptr<PlanCache<T>> plans_;
  std::vector<Unit> units_;
  std::vector<Block> blocks_;
  Index columns_ = 1;  ///< values of w that a block takes at once
  Index longest_ = 0;  ///< nphi
  Index max_units_ = 0;
  bool streamed_ = false;                               ///< the map is too large to stay in caches
  bool delta_streamed_ = false;                         ///< Delta is
  std::vector<std::unique_ptr<Workspace>> workspaces_;  ///< [thread]
};

}  // namespace armilla::fft

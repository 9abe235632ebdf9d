#pragma once

#include <armilla/fft/ring_fft.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::fft {

/// One ring of the computing rank.
struct RingShape {
  Index nphi;
  double phi0;         ///< [rad]
  Index pixel;         ///< first pixel within a component of the map
  Index m_count;       ///< Delta_m exists for m = 0 .. m_count - 1
  Index partner = -1;  ///< slot of the ring that shares its transform, usually its mirror image, whose partner
                       ///< is this ring; -1 if none
};

/// Input of one rank's ring FFTs. Delta_m of ring slot s, component c, map k is at m_shift[m] + s * components * maps +
/// c * maps + k. Its pixels start at map_stride * k + component_stride * c. Spans refer to tables that must outlive the
/// transform.
struct RingTask {
  std::span<const RingShape> rings;
  std::span<const Index> m_shift;
  Index components = 1;
  Index maps = 1;
  Index component_stride = 0;
  Index map_stride = 0;

  Index width() const { return components * maps; }
};

/// Fourier transforms along rings, including the phase of the first pixel. m above nphi / 2 are folded onto the
/// spectrum of the ring (aliasing), so synthesis and adjoint are exact for any nphi >= 1. OpenMP runs over blocks of
/// rings. A ring and its partner share one complex transform, as real and imaginary part, if they have the same nphi
/// and m_count. Results depend only on the grid and the layout, provided that partners are always on the same rank.
/// Each thread keeps its scratch arrays between calls, so only one caller may use a transform at a time.
template <class T>
class RingTransform {
 public:
  /// Adds plans for missing lengths to `plans`, which spin fields share.
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

  /// Memory without plans.
  static core::MemoryEstimate memory(const RingTask& task);

 private:
  /// One complex transform: ring slot `real` and, if present, its partner `imaginary`.
  struct Unit {
    Index real;
    Index imaginary;  ///< slot; -1 if none
  };
  /// Consecutive units whose Delta_m is read and written in one run per m.
  struct Block {
    std::size_t begin, end;  ///< range in units_
    Index nphi;              ///< largest value of the units
    Index m_count;           ///< largest value of the units
    double cost;
  };
  class Workspace;

  void make_units();
  void make_blocks();
  /// Calls work(workspace, block, first w, number of w), in parallel over blocks, starting with the most expensive
  /// block.
  template <class Work>
  void for_each_block(const Work& work);

  RingTask task_;
  std::shared_ptr<PlanCache<T>> plans_;
  std::vector<Unit> units_;
  std::vector<Block> blocks_;
  Index columns_ = 1;  ///< columns w processed at once by a block
  Index longest_ = 0;  ///< largest nphi
  Index max_units_ = 0;
  bool streamed_ = false;                               ///< the map is too large for the caches
  bool delta_streamed_ = false;                         ///< Delta is too large for the caches
  std::vector<std::unique_ptr<Workspace>> workspaces_;  ///< [thread]
};

}  // namespace armilla::fft

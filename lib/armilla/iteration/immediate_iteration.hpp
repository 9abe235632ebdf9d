#pragma once

#include <armilla/fft/ring_fft.hpp>
#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/spin_field_rings.hpp>

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace armilla::iteration {

/// The immediate order between coefficients and ring modes, on CPUs, on one rank that holds all of its maps. Each m is
/// analysed, and its correction is synthesised and subtracted, while it is in the caches. Orders m that a ring cannot
/// distinguish (aliases) are folded into one mode. Threads process different maps, a few at a time. Each map is bitwise
/// identical to that of a single-map run.
template <class T>
class ImmediateIteration final : public Iteration<T> {
 public:
  /// `spec` describes a transform on one rank; the map in memory has spec.maps maps. `weight` [sr] is the weight of a
  /// pixel of each ring, in the order of PixelDistribution::local_rings(). Throws ResourceError if the workspace does
  /// not fit.
  ImmediateIteration(const FieldTransformSpec& spec, std::span<const double> weight);
  ~ImmediateIteration() override;
  ImmediateIteration(const ImmediateIteration&) = delete;
  ImmediateIteration& operator=(const ImmediateIteration&) = delete;

  /// Not collective.
  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  class Worker;
  /// Consecutive maps that a thread processes together.
  struct Chunk {
    const SpinFieldRings<T>* spin_field;
    Index map;
  };
  /// FFT plans of all workers.
  struct Plans {
    std::shared_ptr<fft::PlanCache<T>> cache = std::make_shared<fft::PlanCache<T>>();
    std::mutex lock;  ///< held while plans are looked up
  };
  std::vector<double> weight_;
  Plans plans_;
  std::vector<std::unique_ptr<SpinFieldRings<T>>> spin_fields_;  ///< for each spin field and number of maps in a chunk
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< [thread]
};

}  // namespace armilla::iteration

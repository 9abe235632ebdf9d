#pragma once

#include <armilla/fft/ring_fft.hpp>
#include <armilla/iteration/iteration.hpp>
#include <armilla/iteration/spin_field_rings.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::iteration {

/// The immediate order on one rank that has all of its maps, on CPUs, between coefficients and ring modes: each m is
/// analysed, and its correction synthesised and subtracted, while it is in the caches. m that a ring cannot tell apart
/// (aliases) are folded into one mode. Threads take maps, a few at a time. A map has the bits that it has alone.
template <class T>
class ImmediateIteration final : public Iteration<T> {
 public:
  /// `spec` of one rank; the map in memory has spec.maps maps. `weight` [sr] of a pixel of each ring, in the order of
  /// PixelDistribution::local_rings(). Throws ResourceError where the workspace does not fit.
  ImmediateIteration(const FieldTransformSpec& spec, std::span<const double> weight);
  ~ImmediateIteration() override;
  ImmediateIteration(const ImmediateIteration&) = delete;
  ImmediateIteration& operator=(const ImmediateIteration&) = delete;

  /// Not collective.
  void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm, Checkpoint<T>* checkpoint) override;

  static core::MemoryEstimate memory(const FieldTransformSpec& spec);

 private:
  class Worker;
  /// Neighbouring maps that a thread takes together.
  struct Chunk {
    const SpinFieldRings<T>* spin_field;
    Index map;
  };
  std::vector<double> weight_;
  std::shared_ptr<fft::PlanCache<T>> plans_;
  std::vector<std::unique_ptr<SpinFieldRings<T>>> spin_fields_;  ///< of the field, for as many maps as a chunk has
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< [thread]
};

}  // namespace armilla::iteration

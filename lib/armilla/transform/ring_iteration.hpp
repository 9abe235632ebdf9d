#pragma once

#include <armilla/fft/ring_fft.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/ring_part.hpp>
#include <armilla/transform/ring_scheme.hpp>

#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// Iterated analysis, alm += A (map - Y alm) with A the quadrature by ring weights, between coefficients and spectra of
/// rings: rings are transformed once, since what is left of a map has as many numbers in these spectra as it has
/// pixels. Each m is analysed, the correction synthesised and taken off, while it is in the caches. m that a ring
/// cannot tell apart (aliases) meet in its spectrum. For whole maps on one rank: threads take maps, a few at a time. A
/// map has the bits that it has alone.
template <class T>
class RingIteration {
 public:
  /// `spec` of one rank, for CPUs; the map in memory has spec.maps maps. Throws ResourceError where the workspace does
  /// not fit.
  explicit RingIteration(const FieldTransformSpec& spec);
  ~RingIteration();
  RingIteration(const RingIteration&) = delete;
  RingIteration& operator=(const RingIteration&) = delete;

  /// Finds the alm of a map: the first analysis, then so many corrections; overwrites alm. `weight` [sr] of a pixel of
  /// each ring, in the order of PixelDistribution::local_rings().
  void analyse(const MapField<T>& map, std::span<const double> weight, RingScheme scheme, Index iterations,
               AlmField<T>& alm);

  /// Bytes that a RingIteration of this spec allocates for so many corrections.
  static Index workspace_bytes(const FieldTransformSpec& spec, Index iterations);

 private:
  class Worker;
  /// Neighbouring maps that a thread takes together.
  struct Group {
    const RingPart<T>* part;
    Index map;
  };
  FieldTransformSpec spec_;
  std::shared_ptr<fft::PlanCache<T>> plans_;
  std::vector<std::unique_ptr<RingPart<T>>> parts_;  ///< of the field, for as many maps as a group has
  std::vector<Group> groups_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< [thread]
};

extern template class RingIteration<float>;
extern template class RingIteration<double>;

}  // namespace armilla::transform

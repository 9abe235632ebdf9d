#pragma once

#include <armilla/points/point_transform.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Where the pixels of a map come to lie when each is displaced along the geodesic of a tangent vector, and the angle
/// by which tensors turn when they are carried back: a value of spin s there is exp(i s gamma) times its own here
/// (parallel transport; Challinor & Chon 2002, Lewis 2005). All in rad, [own pixel].
struct Pointing {
  std::vector<double> theta, phi, gamma;
};

/// Pixels of map number `map` of tangent vectors along theta and phi, spin 1, its first two components: n' =
/// exp_n(vector). Not collective.
template <class T>
Pointing displace(const transform::MapField<T>& vectors, Index map);

/// The values of fields at displaced pixels, carried back to the pixels: a lensed sky, where the vectors are the
/// gradient of the lensing potential. And the transpose. Holds a reference to the communicator.
template <class T>
class Lens {
 public:
  /// Collective. Of map number `map` of the vectors; spec.maps is 1.
  Lens(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
       points::PointTransformSpec spec, transform::Monitor monitor = {});

  /// Collective. Map number `from` of alm to map number `to` of `out`, on the pixels of the vectors.
  void operator()(const transform::AlmField<T>& alm, Index from, transform::MapField<T>& out, Index to);
  /// Collective. The transpose, as adjoint_synthesis is that of synthesis, of the map times `factors` [own pixel], or
  /// of the map where there are none. Map number `from`, on the pixels of the vectors, to map number `to` of `out`.
  void adjoint(const transform::MapField<T>& map, Index from, std::span<const double> factors,
               transform::AlmField<T>& out, Index to);

 private:
  Lens(const comm::Communicator& comm, std::unique_ptr<Pointing> pointing, points::PointTransformSpec spec,
       transform::Monitor monitor);

  const comm::Communicator& comm_;
  std::unique_ptr<Pointing> pointing_;
  points::PointTransform<T> transform_;
  std::optional<transform::AlmField<T>> alm_;  ///< of one map
};

/// What one takes on a rank, besides a copy of the map in adjoint(); points are counted where the pixels are before
/// they are displaced.
template <class T>
core::MemoryEstimate lens_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                 int rank);
/// Likewise of its device, besides the coefficients that it is given.
template <class T>
backend::DeviceEstimate lens_device_memory(const points::PointTransformSpec& spec,
                                           const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops

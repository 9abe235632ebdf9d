#pragma once

#include <armilla/points/point_transform.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Positions of the pixels of a map after each is displaced along the geodesic of a tangent vector. The angle gamma
/// gives the rotation of tensors under parallel transport back to the pixel. A value of spin s at the displaced
/// position becomes exp(i s gamma) times that value at the pixel (Challinor & Chon 2002, Lewis 2005). All in rad, [own
/// pixel].
struct Pointing {
  std::vector<double> theta, phi, gamma;
};

/// Not collective. Computes n' = exp_n(vector) for the pixels of map `map`. The first two components are tangent
/// vectors along theta and phi, spin 1.
template <class T>
Pointing displace(const transform::MapField<T>& vectors, Index map);

/// Evaluates fields at displaced pixels and parallel-transports the values back to the pixels, and computes the
/// transpose. With the gradient of the lensing potential as vectors, the result is the lensed sky. Holds a reference to
/// the communicator.
template <class T>
class Lens {
 public:
  /// Collective. Uses map `map` of the vectors; spec.maps is 1.
  Lens(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
       points::PointTransformSpec spec, transform::Monitor monitor = {});

  /// Collective. Transforms map `from` of alm to map `to` of `out`, on the pixels of the vectors.
  void operator()(const transform::AlmField<T>& alm, Index from, transform::MapField<T>& out, Index to);
  /// Collective. The transpose, as adjoint_synthesis is that of synthesis. It acts on the map times `factors` [own
  /// pixel], or on the map if `factors` is empty. Transforms map `from`, on the pixels of the vectors, to map `to` of
  /// `out`.
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

/// Memory of one Lens on a rank, without the copy of the map in adjoint(). Points are assigned to ranks by the
/// positions of the pixels before displacement.
template <class T>
core::MemoryEstimate lens_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                 int rank);
/// Device memory of one Lens, without the input coefficients.
template <class T>
backend::DeviceEstimate lens_device_memory(const points::PointTransformSpec& spec,
                                           const dist::PixelDistribution& pixels, int rank);

}  // namespace armilla::ops

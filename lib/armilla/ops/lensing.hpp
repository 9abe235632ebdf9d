#pragma once

#include <armilla/points/point_transform.hpp>

#include <memory>
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
/// transpose. With the gradient of the lensing potential as vectors, the result is the lensed sky. A single rank with a
/// device displaces pixels, sorts them and rotates values there, so that no array of pixels is copied to the host;
/// otherwise the host does. Holds a reference to the communicator.
template <class T>
class Lens {
 public:
  /// Collective. Uses map `map` of the vectors; spec.maps is 1.
  Lens(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
       points::PointTransformSpec spec, transform::Monitor monitor = {});

  /// The memory in which values are made and read.
  const std::shared_ptr<backend::Memory>& memory() const { return memory_; }

  /// Collective. Transforms map `from` of alm to map `to` of `out`, on the pixels of the vectors. If `out` has several
  /// maps, the others are copied to memory() unless they are there.
  void operator()(const transform::AlmField<T>& alm, Index from, transform::MapField<T>& out, Index to);
  /// Collective. The transpose, as adjoint_synthesis is that of synthesis. It acts on the map times `factors` [own
  /// pixel], or on the map if there are no factors. Transforms map `from`, on the pixels of the vectors, to map `to` of
  /// `out`.
  void adjoint(const transform::MapField<T>& map, Index from, const backend::DualBuffer<double>& factors,
               transform::AlmField<T>& out, Index to);

 private:
  /// Angles of the displaced pixels in a memory, as in Pointing.
  struct Angles {
    std::shared_ptr<backend::Memory> memory;
    std::shared_ptr<double> theta, phi, gamma;
    Index count;
  };

  static Angles displaced(const comm::Communicator& comm, const transform::MapField<T>& vectors, Index map,
                          const points::PointTransformSpec& spec);
  /// Does not need theta and phi afterwards.
  Lens(const comm::Communicator& comm, const Angles& angles, const points::PointTransformSpec& spec,
       const transform::Monitor& monitor);
  /// Rotates values [component][pixel] by `sign` times gamma.
  void turn(int sign, T* values) const;

  const comm::Communicator& comm_;
  std::shared_ptr<backend::Memory> memory_;
  std::shared_ptr<const double> gamma_;
  Index count_;
  points::PointTransform<T> transform_;
};

/// Memory of one Lens on a rank, without that of adjoint(). Points are assigned to ranks by the positions of the pixels
/// before displacement.
template <class T>
core::MemoryEstimate lens_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                 int rank);
/// Device memory of one Lens, besides the maps and coefficients of the caller.
template <class T>
backend::DeviceEstimate lens_device_memory(const points::PointTransformSpec& spec,
                                           const dist::PixelDistribution& pixels, int rank);

/// What Lens::adjoint() adds to these, without the factors.
template <class T>
core::MemoryEstimate lens_adjoint_memory(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                         int rank);
template <class T>
Index lens_adjoint_device_bytes(const points::PointTransformSpec& spec, const dist::PixelDistribution& pixels,
                                int rank);

}  // namespace armilla::ops

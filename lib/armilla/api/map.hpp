#pragma once

#include <armilla/api/names.hpp>
#include <armilla/api/strides.hpp>

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace armilla {

namespace api {
struct Access;
struct MapRings;
}  // namespace api
namespace backend {
class Memory;
}
namespace transform {
template <class T>
class MapField;
}

/// A ring of which this rank owns all pixels.
struct LocalRing {
  Ring ring;     ///< colatitude, longitudes, and index of its first pixel in the grid
  Index offset;  ///< of its first pixel in this rank's pixels of a component

  /// Longitude of pixel j [rad], 0 <= j < ring.nphi; may exceed 2 pi by phi0.
  double phi(Index j) const {
    return ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
  }
};

/// The pixels of one or more fields on a grid, distributed over the ranks of a transform by rings: each rank holds
/// whole rings, for all components of all maps. T is float or double. Created by Transform::make_map(). A moved-from
/// object can only be assigned to or destroyed. No call is collective, nor is destruction.
template <class T = double>
class Map {
 public:
  /// Moves the values; spans of them remain valid.
  Map(Map&& other) noexcept = default;
  /// Moves the values; spans of them remain valid.
  Map& operator=(Map&& other) noexcept = default;

  /// The same values in memory of their own. Throws ResourceError if memory is insufficient.
  Map copy() const;

  const RingGrid& grid() const { return distribution_->grid(); }            ///< the whole grid
  const FieldKind& fields() const { return fields_; }                       ///< names and spins of the components
  Index maps() const { return maps_; }                                      ///< number of maps transformed together
  const PixelDistribution& distribution() const { return *distribution_; }  ///< which rank owns which pixels
  int rank() const { return rank_; }                                        ///< the calling rank

  /// The rings of this rank; may be empty if there are more ranks than rings.
  std::span<const LocalRing> rings() const;
  /// The pixels of one of rings(). Throws InputError if the field has no such ring, component or map. The span is valid
  /// until a call writes to the field.
  std::span<T> of_ring(const LocalRing& ring, Index component = 0, Index map = 0);
  /// Read-only overload of of_ring().
  std::span<const T> of_ring(const LocalRing& ring, Index component = 0, Index map = 0) const;
  /// All local pixels, [map][component][local pixel], in the order of distribution().pixel_ranges(rank()). The span is
  /// valid until a call writes to the field.
  std::span<T> data();
  /// Read-only overload of data().
  std::span<const T> data() const;
  /// Copies local pixels from an array of the program with strides, such as one with its index last: Strides{.map = 1,
  /// .index = levels} for [pixel][level]. One pass through both arrays, with all threads. Throws InputError if values
  /// of the array overlap, or if it is too short.
  void assign(std::span<const T> values, const Strides& strides);
  /// The reverse of assign(); leaves other values of the array alone.
  void copy_to(std::span<T> values, const Strides& strides) const;
  /// All local pixels like data(), at an address in the memory of the GPU of the transform that created the field
  /// (Transform::device()), for reading and changing them. Copies the values from the host if they were last written
  /// there, and otherwise nothing. Valid until the host requests the values (data(), of_ring()) or a call writes the
  /// field. Throws InputError if the transform computes on CPUs, and for results of jobs that are not on a GPU. Throws
  /// ResourceError if the GPU has too little memory.
  T* device_data();
  /// Read-only overload of device_data(); also remains valid when the host reads the values.
  const T* device_data() const;

 private:
  friend struct api::Access;
  void check_ring(const LocalRing& ring) const;
  Map(std::shared_ptr<const Communicator> comm, FieldKind fields, std::shared_ptr<const PixelDistribution> distribution,
      Index maps, std::shared_ptr<backend::Memory> memory = {});
  /// Without `rings`, they are determined. Without `memory`, it is that of the values.
  Map(std::shared_ptr<const Communicator> comm, std::shared_ptr<transform::MapField<T>> field,
      std::shared_ptr<const api::MapRings> rings = {}, std::shared_ptr<backend::Memory> memory = {});

  std::shared_ptr<const Communicator> comm_;
  FieldKind fields_;
  std::shared_ptr<const PixelDistribution> distribution_;
  Index maps_;
  int rank_;
  std::shared_ptr<const api::MapRings> rings_;  // shared by all maps of a transform
  std::shared_ptr<transform::MapField<T>> field_;
  std::shared_ptr<backend::Memory> memory_;  // of the transform
};

}  // namespace armilla

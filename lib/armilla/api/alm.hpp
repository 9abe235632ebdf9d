#pragma once

#include <armilla/api/names.hpp>
#include <armilla/api/strides.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla {

namespace api {
struct Access;
struct AlmOrders;
}  // namespace api
namespace backend {
class Memory;
}
namespace transform {
template <class T>
class AlmField;
}

/// The coefficients a_lm of one or more fields, distributed over the ranks of a transform by m: each rank holds all l =
/// m .. lmax of its local m, for all components of all maps. Only m >= 0 are stored, because fields are real. T is
/// float or double. Created by Transform::make_alm(). A moved-from object can only be assigned to or destroyed. No call
/// is collective, nor is destruction.
template <class T = double>
class Alm {
 public:
  /// Moves the values; spans of them remain valid.
  Alm(Alm&& other) noexcept = default;
  /// Moves the values; spans of them remain valid.
  Alm& operator=(Alm&& other) noexcept = default;

  /// The same values in memory of their own. Throws ResourceError if memory is insufficient.
  Alm copy() const;

  const AlmLayout& layout() const { return distribution_->layout(); }     ///< lmax and mmax
  const FieldKind& fields() const { return fields_; }                     ///< names and spins of the components
  Index maps() const { return maps_; }                                    ///< number of maps transformed together
  const AlmDistribution& distribution() const { return *distribution_; }  ///< which rank owns which m
  int rank() const { return rank_; }                                      ///< the calling rank

  /// The m of this rank, in ascending order.
  std::span<const Index> local_m() const;
  /// The local coefficients l = m .. lmax of one m. Throws InputError if this rank does not local m, or the field has
  /// no such component or map. The span is valid until a call writes to the field.
  std::span<std::complex<T>> of_m(Index m, Index component = 0, Index map = 0);
  /// Read-only overload of of_m().
  std::span<const std::complex<T>> of_m(Index m, Index component = 0, Index map = 0) const;
  /// All local coefficients, [map][component][local m][l]. The span is valid until a call writes to the field.
  std::span<std::complex<T>> data();
  /// Read-only overload of data().
  std::span<const std::complex<T>> data() const;
  /// Copies local coefficients from an array of the program with strides, such as one with its index last: Strides{.map
  /// = 1, .index = levels} for [coefficient][level]. One pass through both arrays, with all threads. Throws InputError
  /// if values of the array overlap, or if it is too short.
  void assign(std::span<const std::complex<T>> values, const Strides& strides);
  /// The reverse of assign(); leaves other values of the array alone.
  void copy_to(std::span<std::complex<T>> values, const Strides& strides) const;
  /// All local coefficients like data(), at an address in the memory of the GPU of the transform that created the field
  /// (Transform::device()), for reading and changing them. Copies the values from the host if they were last written
  /// there, and otherwise nothing. Valid until the host requests the values (data(), of_m()) or a call writes the
  /// field. Throws InputError if the transform computes on CPUs, and for results of jobs that are not on a GPU. Throws
  /// ResourceError if the GPU has too little memory.
  std::complex<T>* device_data();
  /// Read-only overload of device_data(); also remains valid when the host reads the values.
  const std::complex<T>* device_data() const;

 private:
  friend struct api::Access;
  Alm(std::shared_ptr<const Communicator> comm, FieldKind fields, std::shared_ptr<const AlmDistribution> distribution,
      Index maps, std::shared_ptr<backend::Memory> memory = {});
  /// Without `orders`, they are determined. Without `memory`, it is that of the values.
  Alm(std::shared_ptr<const Communicator> comm, std::shared_ptr<transform::AlmField<T>> field,
      std::shared_ptr<const api::AlmOrders> orders = {}, std::shared_ptr<backend::Memory> memory = {});

  std::shared_ptr<const Communicator> comm_;
  FieldKind fields_;
  std::shared_ptr<const AlmDistribution> distribution_;
  Index maps_;
  int rank_;
  std::shared_ptr<const api::AlmOrders> orders_;  // shared by all alm of a transform
  std::shared_ptr<transform::AlmField<T>> field_;
  std::shared_ptr<backend::Memory> memory_;  // of the transform
};

}  // namespace armilla

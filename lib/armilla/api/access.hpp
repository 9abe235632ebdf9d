#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/transform/field.hpp>

#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::api {

/// For the implementation, not installed: creates Alm and Map, and gives access to their members.
struct Access {
  template <class Public, class... Arguments>
  static Public make(Arguments&&... arguments) {
    return Public(std::forward<Arguments>(arguments)...);
  }
  template <class Public>
  static auto& field(Public& object) {
    if constexpr (std::is_const_v<Public>)
      return std::as_const(*object.field_);
    else
      return *object.field_;
  }
  template <class Public>
  static auto shared_field(const Public& object) {
    return object.field_;
  }
  template <class Public>
  static const Communicator& comm(const Public& object) {
    return *object.comm_;
  }
};

/// The rings of a rank.
struct MapRings {
  MapRings(const PixelDistribution& pixels, int rank);

  std::vector<LocalRing> rings;
  std::vector<std::pair<Index, Index>> extents;  ///< offset and number of pixels of each ring, in ascending order
};

/// The orders of a rank.
struct AlmOrders {
  AlmOrders(const AlmDistribution& alm, int rank) : m(alm.local_m(rank)), offsets(alm.local_offsets(rank)) {}

  std::vector<Index> m;
  std::vector<Index> offsets;  ///< of l = 0 of each m
};

/// Throws InputError if a transform of these fields cannot have this lmax and number of maps.
void check_spec(const FieldKind& fields, Index lmax, Index maps);

/// Throws InputError if a field has no such component or map.
void check_place(const FieldKind& fields, Index maps, Index component, Index map);

/// A memory of a device. Throws InputError if it is that of the host, where `on_host` replaces `call`.
std::shared_ptr<backend::Memory> device_memory(std::shared_ptr<backend::Memory> memory, const char* call,
                                               const char* on_host);

/// Collective. Throws InputError on all ranks if `given`, the arguments of `call` as text, differs from that of the
/// first rank.
void check_alike(const Communicator& comm, const char* call, const std::string& given);

/// Throws InputError if a map or alm, `what`, does not match a transform of these fields.
template <class Field>
void check_field(const Communicator& comm, const FieldKind& fields, Index maps, const Field& field, const char* what) {
  if (!(field.fields() == fields) || field.maps() != maps || field.distribution().ranks() != comm.size())
    throw InputError(
        fmt::format("the {} does not match the transform: it has {} components of {} maps on {} ranks, but the "
                    "transform has {} of {} on {}, or the spins differ",
                    what, field.fields().components(), field.maps(), field.distribution().ranks(), fields.components(),
                    maps, comm.size()));
  if (field.rank() != comm.rank())
    throw InputError(
        fmt::format("the {} was created for rank {}, but this is rank {} of the transform: create it with a transform "
                    "on the same communicator",
                    what, field.rank(), comm.rank()));
}

/// The version for coefficients, which also checks their layout.
template <class T>
void check_alm(const Communicator& comm, const FieldKind& fields, Index maps, const AlmLayout& layout,
               const Alm<T>& alm) {
  check_field(comm, fields, maps, alm, "alm");
  const AlmLayout& other = alm.layout();
  if (!(other == layout))
    throw InputError(fmt::format("the alm have lmax = {}, mmax = {}, but the transform has lmax = {}, mmax = {}",
                                 other.lmax(), other.mmax(), layout.lmax(), layout.mmax()));
}

/// Throws InputError if a field that a call writes has memory that may only be read.
template <class Field>
void check_writable(const Field& field) {
  if (!Access::field(field).is_writable())
    throw InputError(
        "the result was made by const_alm_of(), const_map_of() or const_device_...(), for reading: use alm_of(), "
        "map_of() or device_...()");
}

/// Memory of a caller that is only read; the field refuses calls that write.
template <class Number>
std::span<Number> for_reading(std::span<const Number> values) {
  return {const_cast<Number*>(values.data()), values.size()};
}
template <class Number>
std::span<Number> for_reading(const Number* values, std::size_t size) {
  return for_reading(std::span(values, size));
}

/// What may be done with memory of a caller.
inline backend::Access access_of(bool is_writable) {
  return is_writable ? backend::Access::kReadWrite : backend::Access::kRead;
}

/// A field in memory of a caller, by default host memory.
template <class T>
auto adopted_alm(FieldKind fields, std::shared_ptr<const AlmDistribution> alm, int rank, Index maps,
                 std::span<std::complex<T>> values, bool is_writable, std::shared_ptr<backend::Memory> memory = {}) {
  return std::make_shared<transform::AlmField<T>>(std::move(fields), std::move(alm), rank, maps, values,
                                                  access_of(is_writable), std::move(memory));
}

/// Returns the result of make(). Throws ResourceError if memory is insufficient.
template <class Make>
auto allocated(Make make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw ResourceError("out of memory for a field on this rank: use more ranks or single precision");
  }
}

/// Collective. Performs the checks that can fail on a single rank before a collective function reads map `map` of the
/// field: the map exists, and its values can be copied from a device. All ranks throw on failure.
template <class Field>
void fetch(const Field& field, Index map) {
  comm::phase(Access::comm(field), [&] {
    check_place(field.fields(), field.maps(), 0, map);
    static_cast<void>(field.data());
  });
}

}  // namespace armilla::api

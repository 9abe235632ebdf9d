#pragma once

#include <armilla/api/access.hpp>
#include <armilla/armilla.h>
#include <armilla/armilla.hpp>
#include <armilla/capi/handles.hpp>
#include <armilla/comm/phase.hpp>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace armilla::capi {

// What the handles of armilla.h stand for.

struct SessionObject {
  static constexpr const char* kName = "session";
  Communicator comm;
};

struct GridObject {
  static constexpr const char* kName = "grid";
  RingGrid grid;
};

/// An object of either precision.
template <template <class> class Object>
using EitherPrecision = std::variant<Object<double>, Object<float>>;

struct TransformObject {
  static constexpr const char* kName = "transform";
  EitherPrecision<Transform> transform;
  bool device_memory = false;  ///< whether arrays are on its device
};

struct RedistributionObject {
  static constexpr const char* kName = "redistribution";
  std::shared_ptr<TransformObject> transform;  ///< of whose fields it moves values
  std::variant<PixelRedistribution, AlmRedistribution> redistribution;
};

struct PointsObject {
  static constexpr const char* kName = "transform at points";
  EitherPrecision<PointTransform> transform;
  bool device_memory = false;  ///< whether arrays are on its device
};

/// The object of precision T. Throws InputError if it is of the other one.
template <class T, template <class> class Object>
Object<T>& of_precision(EitherPrecision<Object>& either, const char* name) {
  if (auto* object = std::get_if<Object<T>>(&either)) return *object;
  constexpr bool kIsDouble = std::is_same_v<T, double>;
  throw InputError(fmt::format("the {} is of {} precision: call the function whose name {} in _float", name,
                               kIsDouble ? "single" : "double", kIsDouble ? "ends" : "does not end"));
}

/// Fields in arrays of the program, for a TransformObject or PointsObject and its transform. `fields`: those of a
/// Transform if they are not its own.
template <class Object, class Of, class T, class... Fields>
Alm<T> alm_at(const Object& object, const Of& transform, std::complex<T>* pointer, std::int64_t size,
              const Fields&... fields) {
  const auto all = values(pointer, size, "alm");
  return object.device_memory ? transform.device_alm_of(all.data(), all.size(), fields...)
                              : transform.alm_of(all, fields...);
}
template <class Object, class Of, class T, class... Fields>
Alm<T> alm_at(const Object& object, const Of& transform, const std::complex<T>* pointer, std::int64_t size,
              const Fields&... fields) {
  const auto all = values(pointer, size, "alm");
  return object.device_memory ? transform.const_device_alm_of(all.data(), all.size(), fields...)
                              : transform.const_alm_of(all, fields...);
}
template <class T>
Map<T> map_at(const TransformObject& object, const Transform<T>& transform, T* pointer, std::int64_t size) {
  const auto all = values(pointer, size, "map");
  return object.device_memory ? transform.device_map_of(all.data(), all.size()) : transform.map_of(all);
}
template <class T>
Map<T> map_at(const TransformObject& object, const Transform<T>& transform, const T* pointer, std::int64_t size) {
  const auto all = values(pointer, size, "map");
  return object.device_memory ? transform.const_device_map_of(all.data(), all.size()) : transform.const_map_of(all);
}

/// The transform of a handle, in use by a call.
template <class T>
struct UsedTransform {
  explicit UsedTransform(armilla_transform handle)
      : object(Handles::all().use<TransformObject>(handle.id)),
        transform(of_precision<T>(object->transform, "transform")) {}

  /// Fields in arrays of the program (alm_at, map_at).
  template <class Value, class... Fields>
  Alm<T> alm(Value* pointer, std::int64_t size, const Fields&... fields) const {
    return alm_at(*object, transform, pointer, size, fields...);
  }
  template <class Value>
  Map<T> map(Value* pointer, std::int64_t size) const {
    return map_at(*object, transform, pointer, size);
  }

  Handles::Use<TransformObject> object;
  Transform<T>& transform;
};

/// Collective. Makes the arguments of a call on all ranks, and makes the call if no rank has failed. A field that the
/// call has written in another memory is then copied to the array of the program.
template <class MakeIn, class MakeOut, class Call>
void call_with(const Communicator& comm, const MakeIn& make_in, const MakeOut& make_out, const Call& call) {
  std::optional<decltype(make_in())> in;
  std::optional<decltype(make_out())> out;
  comm::phase(comm, [&] {
    in.emplace(make_in());
    out.emplace(make_out());
  });
  call(*in, *out);
  if constexpr (requires { out->device_data(); }) comm::phase(comm, [&] { api::Access::field(*out).deliver(); });
}

/// A new transform. Throws InputError if options place arrays on a device that it does not have.
template <class Of>
Of with_device_check(Of transform, const armilla_transform_options& options) {
  if (options.device_memory != 0 && transform.device() < 0)
    throw InputError("options.device_memory = 1, but the transform computes on CPUs: set options.backend to cuda");
  return transform;
}

/// Parts of a list with commas.
std::vector<std::string> names_of(const std::string& list);
/// The fields of options of transforms.
FieldKind fields_of(const armilla_transform_options& options);

}  // namespace armilla::capi

#pragma once

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
};

struct RedistributionObject {
  static constexpr const char* kName = "redistribution";
  std::shared_ptr<TransformObject> transform;  ///< of whose fields it moves values
  std::variant<PixelRedistribution, AlmRedistribution> redistribution;
};

struct PointsObject {
  static constexpr const char* kName = "transform at points";
  EitherPrecision<PointTransform> transform;
};

/// The object of precision T. Throws InputError if it is of the other one.
template <class T, template <class> class Object>
Object<T>& of_precision(EitherPrecision<Object>& either, const char* name) {
  if (auto* object = std::get_if<Object<T>>(&either)) return *object;
  constexpr bool kIsDouble = std::is_same_v<T, double>;
  throw InputError(fmt::format("the {} is of {} precision: call the function whose name {} in _float", name,
                               kIsDouble ? "single" : "double", kIsDouble ? "ends" : "does not end"));
}

/// The transform of a handle, in use by a call.
template <class T>
struct UsedTransform {
  explicit UsedTransform(armilla_transform handle)
      : object(Handles::all().use<TransformObject>(handle.id)),
        transform(of_precision<T>(object->transform, "transform")) {}

  Alm<T> alm(const std::complex<T>* pointer, std::int64_t size) const {
    return transform.const_alm_of(values(pointer, size, "alm"));
  }
  Alm<T> alm(std::complex<T>* pointer, std::int64_t size) const {
    return transform.alm_of(values(pointer, size, "alm"));
  }
  Map<T> map(const T* pointer, std::int64_t size) const { return transform.const_map_of(values(pointer, size, "map")); }
  Map<T> map(T* pointer, std::int64_t size) const { return transform.map_of(values(pointer, size, "map")); }

  Handles::Use<TransformObject> object;
  Transform<T>& transform;
};

/// Collective. Makes the arguments of a call on all ranks, and makes the call if no rank has failed.
template <class MakeIn, class MakeOut, class Call>
void call_with(const Communicator& comm, const MakeIn& make_in, const MakeOut& make_out, const Call& call) {
  std::optional<decltype(make_in())> in;
  std::optional<decltype(make_out())> out;
  comm::phase(comm, [&] {
    in.emplace(make_in());
    out.emplace(make_out());
  });
  call(*in, *out);
}

/// Parts of a list with commas.
std::vector<std::string> names_of(const std::string& list);
/// The fields of options of transforms.
FieldKind fields_of(const armilla_transform_options& options);

}  // namespace armilla::capi

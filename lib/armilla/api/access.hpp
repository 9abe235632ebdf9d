#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/comm/phase.hpp>
#include <armilla/transform/field.hpp>

#include <string>
#include <utility>

namespace armilla::api {

/// For the implementation, not installed: makes Alm and Map, and gives what they hold.
struct Access {
  template <class Public, class... Arguments>
  static Public make(Arguments&&... arguments) {
    return Public(std::forward<Arguments>(arguments)...);
  }
  template <class T>
  static transform::AlmField<T>& field(Alm<T>& alm) {
    return *alm.field_;
  }
  template <class T>
  static const transform::AlmField<T>& field(const Alm<T>& alm) {
    return *alm.field_;
  }
  template <class T>
  static transform::MapField<T>& field(Map<T>& map) {
    return *map.field_;
  }
  template <class T>
  static const transform::MapField<T>& field(const Map<T>& map) {
    return *map.field_;
  }
  template <class Public>
  static const Communicator& comm(const Public& object) {
    return *object.comm_;
  }
};

/// Throws InputError where a field has no such component or map.
void check_place(const FieldKind& fields, Index maps, Index component, Index map);

/// Collective. Throws InputError on all ranks where `given`, what one of them gave `call`, is not what the first gave.
void check_alike(const Communicator& comm, const char* call, const std::string& given);

/// Collective. What can fail on one rank alone before a collective function reads map number `map` of the field: that
/// map is not there, or its numbers cannot be copied from a device. All ranks throw then.
template <class Field>
void fetch(const Field& field, Index map) {
  comm::phase(Access::comm(field), [&] {
    check_place(field.fields(), field.maps(), 0, map);
    static_cast<void>(field.data());
  });
}

}  // namespace armilla::api

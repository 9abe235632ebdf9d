#pragma once

#include <armilla/backend/radial_tables.hpp>

#include <span>

namespace armilla::backend {

/// Convolutions by rings in device memory (Elsner & Wandelt 2011), in double precision. Results are bitwise identical
/// in every run, for any number of fields, and independent of other targets.
template <class T>
class RadialEngine {
 public:
  virtual ~RadialEngine() = default;
  /// Copies tables to the device, replacing earlier ones; the host tables may be destroyed afterwards. Throws
  /// ResourceError if the device has too little memory.
  virtual void load(const RadialTables& tables) = 0;
  /// [field][pixel] -> [field][pixel] of each target, overwritten. Complete on return.
  virtual void operator()(const T* in, std::span<T* const> out) = 0;
};

}  // namespace armilla::backend

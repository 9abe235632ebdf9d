#pragma once

#include <armilla/backend/radial_tables.hpp>

#include <span>

namespace armilla::backend {

/// Convolutions by rings in the memory of a device (Elsner & Wandelt 2011), in double precision. Results are bitwise
/// identical in every run, for any fields at once and beside any other targets.
template <class T>
class RadialEngine {
 public:
  virtual ~RadialEngine() = default;
  /// Takes tables to the device, in place of others; they may be destroyed once it returns. Throws ResourceError where
  /// it has too little memory.
  virtual void load(const RadialTables& tables) = 0;
  /// By the tables: [field][pixel] -> [field][pixel] of each target, overwritten. Complete when it returns.
  virtual void operator()(const T* in, std::span<T* const> out) = 0;
};

}  // namespace armilla::backend

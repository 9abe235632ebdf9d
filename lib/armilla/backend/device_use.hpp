#pragma once

#include <armilla/core/types.hpp>

namespace armilla::backend {

using core::Index;

/// The room of backends that have no device.
inline constexpr Index kNoDevice = -1;

/// Pinned memory through which arrays go to and from a device in parts.
inline constexpr Index kPassageBytes = Index{64} << 20;

/// How a transform uses the memory of its device.
struct DeviceUse {
  /// Coefficients, Delta and pixels stay there. Else they stand in host memory, and pass through the device in parts,
  /// of own m in the Legendre stage, of rings in the ring stage, with the same results: bitwise identical, or
  /// to rounding where there are FFTs in theta.
  bool whole = true;
  Index work_bytes = 0;  ///< that each part of a stage may take for working space
  Index room = 0;        ///< in parts: for all that is there at one time

  friend bool operator==(const DeviceUse&, const DeviceUse&) = default;
};

}  // namespace armilla::backend

#pragma once

#include <armilla/backend/context.hpp>

#include <string>

namespace armilla::backend {

/// The result of a check of a device.
struct DeviceCheck {
  double rms = 0;  ///< largest relative rms difference from the CPU; infinite if a result is not finite
  /// Which result is wrong and by how much, or the error of the device; empty if the check passed.
  std::string fault = {};
};

/// The largest relative rms difference that passes: a hundred times that of rounding, and far below that of a defect.
constexpr double device_check_limit(core::Precision precision) {
  return precision == core::Precision::kSingle ? 1e-5 : 1e-11;
}

/// Not collective. Checks the device of a rank with small transforms of built-in data, against the reference engine and
/// the ring FFTs of the CPU. It covers the Legendre and the ring stage in both directions, HEALPix rings and rings of
/// equal length, the poles and the equator, and spins 0 and 2. It also covers single maps, batches for tensor cores if
/// the device has them, resampling in theta, and exact quadrature. It uses some MiB of memory, not included in
/// peak_device_bytes(). T: the precision of fields. An error of the device is a fault. Throws InputError for a backend
/// without a device, and ResourceError for one that cannot be used here.
template <class T>
DeviceCheck check_device(Kind kind, const Placement& placement);

}  // namespace armilla::backend

#pragma once

#include <armilla/backend/context.hpp>

#include <string>

namespace armilla::backend {

/// The result of a check of a device.
struct DeviceCheck {
  double rms = 0;          ///< largest relative rms difference from the CPU; infinite where a result is not finite
  std::string fault = {};  ///< which result is wrong and by how much, or the error of the device; empty: passed
  bool lasting = true;     ///< false after an error that may not recur: the device was in use, or out of memory
  double seconds = 0;      ///< the time limit that the check exceeded; 0 where it did not
};

/// The largest relative rms difference that passes: a hundred times that of rounding, and far below that of a
/// defect.
constexpr double device_check_limit(core::Precision precision) {
  return precision == core::Precision::kSingle ? 1e-5 : 1e-11;
}

/// Checks the device of a rank by small transforms of built-in numbers, against the reference engine and the ring FFTs
/// of the CPU: the Legendre and the ring stage, each in both directions, on rings of HEALPix and of equal
/// length, at the poles and the equator; spins 0 and 2; single maps, and batches that tensor cores take where a device
/// has them; resampling in theta, and exact quadrature. Takes some MiB of memory, which peak_device_bytes() forgets,
/// and some ms besides the start of the device. T: the precision of fields. Not collective. An error of the device is
/// a fault; throws InputError for a backend without a device, ResourceError for one that cannot
/// work here. A crash in a driver ends the process: check_device_in_child (child_check.hpp) survives it.
template <class T>
DeviceCheck check_device(Kind kind, const Placement& placement);

}  // namespace armilla::backend

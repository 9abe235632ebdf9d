#pragma once

#include <armilla/backend/context.hpp>

#include <string>

namespace armilla::backend {

/// What trying a device showed.
struct DeviceCheck {
  double rms = 0;  ///< the largest relative rms difference from the CPU of all that was compared; infinite where a
                   ///< result is not a number
  std::string fault = {};  ///< which result is wrong and by how much, or the error of the device; empty where all is
                           ///< right
  bool lasting = true;     ///< whether another check would find the same; false after an error that may pass: the
                           ///< device was in use, or out of memory
  double seconds = 0;      ///< the time limit that the check exceeded; 0 where it did not
};

/// The largest relative rms difference that passes: a hundred times what rounding makes, and far below what a defect
/// does.
constexpr double device_check_limit(core::Precision precision) {
  return precision == core::Precision::kSingle ? 1e-5 : 1e-11;
}

/// Tries the device of that place with small transforms of numbers of its own, against the reference engine and the
/// ring FFTs of the CPU: the Legendre and the ring stage, each in both directions, on rings of HEALPix and of equal
/// length, at the poles and the equator; spins 0 and 2; single maps, and batches that tensor cores take where a device
/// has them; resampling in theta, and exact quadrature. Some MiB of memory, which peak_device_bytes() forgets; some ms
/// of work, besides what a device takes to start. T: the precision of fields. Not collective. An error of the device is
/// a fault; throws InputError for a backend that does not exist or has no device, ResourceError for one that cannot
/// work here. A crash in a driver ends the process: check_device_in_child (child_check.hpp) survives it.
template <class T>
DeviceCheck check_device(const std::string& name, const Placement& placement);

extern template DeviceCheck check_device<float>(const std::string&, const Placement&);
extern template DeviceCheck check_device<double>(const std::string&, const Placement&);

}  // namespace armilla::backend

#pragma once

#include <cstddef>

#include <kernels/core/host_order.hpp>

namespace armilla::kernels {

/// Simulated properties of the emulated device, for tests of the handling of unusable devices; and the amount of data
/// copied and of work launched.
struct Emulation {
  bool visible = true;
  bool fft_needs_work = false;              ///< FFTs need a workspace as large as their data
  bool has_old_driver = false;              ///< no device can be used because the driver is too old
  int devices = 1;                          ///< number of visible devices, if `visible`
  int first_device = 0;                     ///< number in the UUID of the first visible device
  int single_to_double = 2;                 ///< DeviceProperties::single_to_double
  bool opens_peers = true;                  ///< memory of other processes can be opened
  double row_error = 0;                     ///< relative error of one row of the Legendre recurrence in each launch
  double transform_error = 0;               ///< relative error of the first value of each FFT
  bool fails = false;                       ///< work fails with an error, as with CUDA
  HostOrder order = HostOrder::kAscending;  ///< of threads and blocks
  std::size_t copied = 0;                   ///< total bytes copied
  std::size_t launched = 0;                 ///< total kernels, FFTs, copies and graphs launched
};

/// The emulation of this process; only in builds with the emulated device.
Emulation& emulation();

}  // namespace armilla::kernels

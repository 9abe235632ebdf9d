#pragma once

#include <cstddef>

#include <kernels/core/host_order.hpp>

namespace armilla::kernels {

/// What the emulated device pretends to be, for tests of what is done about devices that cannot be used; and what it
/// has carried.
struct Emulation {
  bool visible = true;
  bool fft_needs_work = false;              ///< FFTs take as much working space as what they transform
  bool has_old_driver = false;              ///< no device can be used for that reason
  int devices = 1;                          ///< where visible
  int single_to_double = 2;                 ///< DeviceProperties::single_to_double
  double row_error = 0;                     ///< relative, of one row of the Legendre recurrence of each launch
  double transform_error = 0;               ///< relative, of the first number of each FFT
  bool fails = false;                       ///< work ends with an error, as that of CUDA does
  HostOrder order = HostOrder::kAscending;  ///< of threads and blocks
  std::size_t copied = 0;                   ///< bytes that copies carried, counted on
};

/// Of this process; there in builds with the emulated device only.
Emulation& emulation();

}  // namespace armilla::kernels

#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>
#include <complex>
#include <functional>
#include <memory>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

using core::Index;

/// In-place complex FFTs of one length on the device, with a fixed number of columns per call.
class ColumnFft {
 public:
  virtual ~ColumnFft() = default;
  /// values [column][k] = sum over j of values [column][j] exp(-2 pi i j k / length), in stream order. Transforms
  /// `columns` columns, and the columns after them that fill the last call.
  virtual void forward(DevicePointer<std::complex<double>> values, Index columns, const kernels::Stream& stream) = 0;
};

/// Creates FFTs of a length, `columns` columns at a time. Throws ResourceError if there is no such plan.
using MakeColumnFft = std::function<std::unique_ptr<ColumnFft>(Index length, Index columns)>;

/// cuFFT plans with their own workspace. They share the library, which is loaded here. Throws ResourceError if it
/// cannot be loaded.
MakeColumnFft make_column_fft();

/// A buffer of columns for FFTs of many columns at a time. It is initialised to zero, for columns that are never
/// written.
inline kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length,
                                                                 const kernels::Stream& stream) {
  kernels::DeviceBuffer<std::complex<double>> buffer(columns * length);
  kernels::fill_zero(buffer.data(), buffer.size(), stream);
  stream.wait();
  return buffer;
}

/// Calls body(columns) for columns begin .. end - 1 in chunks.
template <class Body>
void for_each_chunk(Index begin, Index end, Index chunk, Body&& body) {
  for (; begin < end; begin += chunk) body(kernels::ThetaColumns{begin, std::min(begin + chunk, end)});
}

}  // namespace armilla::backend

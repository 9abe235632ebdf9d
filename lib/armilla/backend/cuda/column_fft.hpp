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

/// Complex FFTs of one length on the device, in place, of a fixed number of columns at a time.
class ColumnFft {
 public:
  virtual ~ColumnFft() = default;
  /// values [column][k] = sum over j of values [column][j] exp(-2 pi i j k / length), in the order of the stream, of
  /// `columns` columns and those behind them that fill the last call.
  virtual void forward(DevicePointer<std::complex<double>> values, Index columns, const kernels::Stream& stream) = 0;
};

/// Makes FFTs of a length, `columns` columns at a time. Throws ResourceError where there is no such plan.
using MakeColumnFft = std::function<std::unique_ptr<ColumnFft>(Index length, Index columns)>;

/// Plans of cuFFT with working space of their own; all share the library, which is loaded here. Throws ResourceError
/// where it cannot be.
MakeColumnFft make_column_fft();

/// A buffer of columns, on which FFTs work many at a time: it begins with zeros, for columns that nothing writes.
inline kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length,
                                                                 const kernels::Stream& stream) {
  kernels::DeviceBuffer<std::complex<double>> buffer(columns * length);
  kernels::fill_zero(buffer.data(), buffer.size(), stream);
  stream.wait();
  return buffer;
}

/// Calls body(columns) for columns begin .. end - 1, a chunk at a time.
template <class Body>
void for_each_chunk(Index begin, Index end, Index chunk, Body&& body) {
  for (; begin < end; begin += chunk) body(kernels::ThetaColumns{begin, std::min(begin + chunk, end)});
}

}  // namespace armilla::backend

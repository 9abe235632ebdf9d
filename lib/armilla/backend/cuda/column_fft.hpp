#pragma once

#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/core/types.hpp>

#include <complex>
#include <functional>
#include <memory>

#include <kernels/core/stream.hpp>

namespace armilla::backend {

using core::Index;

/// Complex FFTs of one length on the device, of a fixed number of columns in their place.
class ColumnFft {
 public:
  virtual ~ColumnFft() = default;
  /// values [column][k] = sum over j of values [column][j] exp(-2 pi i j k / length), in the order of the stream.
  virtual void forward(DevicePointer<std::complex<double>> values, const kernels::Stream& stream) = 0;
};

/// Makes the FFTs of `columns` columns of a length. Throws ResourceError where there is no such plan.
using MakeColumnFft = std::function<std::unique_ptr<ColumnFft>(Index length, Index columns)>;

}  // namespace armilla::backend

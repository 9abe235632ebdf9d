#pragma once

#include <armilla/backend/cuda/column_fft.hpp>
#include <armilla/core/aligned_buffer.hpp>
#include <armilla/fft/complex_plan.hpp>

#include <utility>

#include <kernels/core/memory.hpp>

namespace armilla::test {

/// FFTs of columns on a device by way of the host, for tests of what is around them.
class HostColumnFft final : public backend::ColumnFft {
 public:
  HostColumnFft(core::Index length, core::Index columns)
      : plan_(length), columns_(columns), in_(length * columns), out_(length) {}

  void forward(kernels::DevicePointer<std::complex<double>> values, core::Index columns,
               const kernels::Stream& stream) override {
    for (core::Index c = 0; c < columns; c += columns_) call(values + c * plan_.length(), stream);
  }

 private:
  void call(kernels::DevicePointer<std::complex<double>> values, const kernels::Stream& stream) {
    const core::Index length = plan_.length();
    kernels::copy(in_.data(), values, columns_ * length, stream);
    stream.wait();
    core::AlignedBuffer<std::complex<double>> column(length);
    for (core::Index c = 0; c < columns_; ++c) {
      std::copy_n(in_.data() + c * length, length, column.data());
      plan_.forward(column.data(), out_.data());
      std::copy_n(out_.data(), length, in_.data() + c * length);
    }
    kernels::copy(values, std::as_const(in_).data(), columns_ * length, stream);
    stream.wait();
  }

  fft::ComplexPlan<double> plan_;
  core::Index columns_;
  core::AlignedBuffer<std::complex<double>> in_, out_;
};

inline backend::MakeColumnFft make_column_fft() {
  return [](core::Index length, core::Index columns) { return std::make_unique<HostColumnFft>(length, columns); };
}

}  // namespace armilla::test

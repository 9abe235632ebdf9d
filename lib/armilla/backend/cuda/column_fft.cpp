#include <armilla/backend/cuda/column_fft.hpp>

#include <algorithm>

#include <kernels/core/memory.hpp>
#include <kernels/fft/fft_plan.hpp>

namespace armilla::backend {

namespace {

class CufftColumns final : public ColumnFft {
 public:
  CufftColumns(const std::shared_ptr<const kernels::CufftLibrary>& library, Index length, Index columns)
      : length_(length),
        columns_(columns),
        plan_(library, length, columns),
        work_(std::max(Index{1}, plan_.work_bytes())) {}

  void forward(DevicePointer<std::complex<double>> values, Index columns, const kernels::Stream& stream) override {
    for (Index c = 0; c < columns; c += columns_)
      plan_.run(real(values + c * length_), kernels::FftDirection::kForward, work_.data(), stream.get());
  }

 private:
  Index length_, columns_;
  kernels::FftPlan<double> plan_;
  kernels::DeviceBuffer<char> work_;
};

}  // namespace

MakeColumnFft make_column_fft() {
  return [library = kernels::load_cufft()](Index length, Index columns) {
    return std::make_unique<CufftColumns>(library, length, columns);
  };
}

}  // namespace armilla::backend

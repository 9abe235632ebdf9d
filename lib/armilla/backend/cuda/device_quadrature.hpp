#pragma once

#include <armilla/backend/cuda/column_fft.hpp>
#include <armilla/backend/cuda/device_numbers.hpp>
#include <armilla/backend/cuda/theta_tables.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/resample/theta_quadrature.hpp>

#include <complex>
#include <memory>

#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/theta/theta_task.hpp>

namespace armilla::backend {

/// resample::ThetaQuadrature on the current device, for Delta of all local m of a rank; chunks and layouts as in
/// DeviceTheta. Rings that do not exist, or to which m does not contribute, are treated as zero and are not written.
/// Everything is in double for any T. Sums are in an order that depends only on lmax and the task.
template <class T>
class DeviceQuadrature {
 public:
  /// The rings of `quadrature` are those of the task. Copies the tables of both, which need not outlive this object,
  /// and waits for the copies. Throws ResourceError if `work_bytes` cannot hold fft_columns() columns, or if the device
  /// has too little memory.
  DeviceQuadrature(const legendre::Task& task, const resample::ThetaQuadrature& quadrature,
                   const MakeColumnFft& make_fft, Index work_bytes, const kernels::Stream& stream);

  /// Maps to rings of the same grid, in place; the operator is symmetric. The degrees of both sides must be equal.
  void rings_to_rings(DevicePointer<std::complex<T>> delta, const kernels::Stream& stream);
  /// Maps to all source rings.
  void rings_to_source(DevicePointer<const std::complex<T>> delta, DevicePointer<std::complex<double>> source,
                       const kernels::Stream& stream);
  /// The transpose.
  void source_to_rings(DevicePointer<const std::complex<double>> source, DevicePointer<std::complex<T>> delta,
                       const kernels::Stream& stream);

 private:
  /// Spectra of the source or of the fine grid, which have coefficients up to `degree`, to those of the product, and
  /// back.
  kernels::DeviceSpectrumChange to_product(int from, int degree,
                                           DevicePointer<const std::complex<double>> scaled) const;
  kernels::DeviceSpectrumChange from_product(int to, int degree, DevicePointer<const std::complex<double>> scaled,
                                             DevicePointer<const std::complex<double>> twiddle) const;
  /// Delta -> spectra of the product on the fine grid; spectra on the fine grid -> Delta.
  void from_rings(const kernels::ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                  const kernels::Stream& stream);
  void to_rings(const kernels::ThetaColumns& columns, DevicePointer<std::complex<T>> delta,
                const kernels::Stream& stream);
  /// SineProduct::apply, from the spectrum of the product's sequence to the spectrum of the result.
  void multiply(const kernels::ThetaColumns& columns, double gain, const kernels::Stream& stream);

  ThetaTables theta_;
  DeviceTables tables_;  ///< besides those of theta
  int source_degree_;    ///< of the coefficients on the source rings
  int grid_degree_;      ///< of those on the rings of the grid
  QuadratureSizes sizes_;
  int product_length_;
  double grid_gain_;
  Index chunk_;
  DevicePointer<const double> weights_;  ///< [index in the sequence of the product]
  DevicePointer<const std::complex<double>> product_twiddle_, from_source_, from_grid_, to_source_, to_grid_;
  std::unique_ptr<ColumnFft> source_fft_;
  std::unique_ptr<ColumnFft> fine_fft_;
  std::unique_ptr<ColumnFft> product_fft_;
  kernels::DeviceBuffer<std::complex<double>> outer_;    ///< sequences of the source, or of the fine grid
  kernels::DeviceBuffer<std::complex<double>> product_;  ///< [column of a chunk][index in the sequence]
  kernels::DeviceBuffer<std::complex<double>> extra_;    ///< kernels::circle_work() values
};

}  // namespace armilla::backend

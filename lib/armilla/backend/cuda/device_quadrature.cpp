#include <armilla/backend/cuda/device_quadrature.hpp>
#include <armilla/backend/theta_chunk.hpp>
#include <armilla/core/instantiate.hpp>

#include <algorithm>

#include <kernels/theta/theta.hpp>

namespace armilla::backend {

namespace {

using Complex = std::complex<double>;
using resample::ThetaQuadrature;

Index outer_length(const ThetaTables& tables) { return std::max(tables.source_length(), tables.fine_length()); }

Index product_length(const ThetaQuadrature& quadrature) {
  return static_cast<Index>(quadrature.product().weights().size());
}

// The longest of its FFTs, which determines the columns of a call for all of them.
Index longest_length(const ThetaTables& tables, const ThetaQuadrature& quadrature) {
  return std::max(outer_length(tables), product_length(quadrature));
}

Index chunk_columns(const ThetaTables& tables, const ThetaQuadrature& quadrature, Index work_bytes) {
  const Index bytes = (outer_length(tables) + product_length(quadrature)) * static_cast<Index>(sizeof(Complex));
  return columns_of_chunk(longest_length(tables, quadrature), bytes, work_bytes);
}

}  // namespace

template <class T>
DeviceQuadrature<T>::DeviceQuadrature(const legendre::Task& task, const ThetaQuadrature& quadrature,
                                      const MakeColumnFft& make_fft, Index work_bytes, const kernels::Stream& stream)
    : tables_(task, quadrature.source_side(), quadrature.grid_side(), &quadrature.rings(), stream),
      product_length_(static_cast<int>(product_length(quadrature))),
      source_degree_(static_cast<int>(quadrature.source_side().lmax())),
      grid_degree_(static_cast<int>(quadrature.grid_side().lmax())),
      grid_gain_(quadrature.grid_gain()),
      chunk_(chunk_columns(tables_, quadrature, work_bytes)),
      weights_(kernels::upload(quadrature.product().weights(), stream)),
      product_twiddle_(kernels::upload(quadrature.product().twiddle(), stream)),
      from_source_(kernels::upload(quadrature.from_source(), stream)),
      from_grid_(kernels::upload(quadrature.from_grid(), stream)),
      to_source_(kernels::upload(quadrature.to_source(), stream)),
      to_grid_(kernels::upload(quadrature.to_grid(), stream)),
      source_fft_(make_fft(tables_.source_length(), fft_columns(longest_length(tables_, quadrature)))),
      fine_fft_(make_fft(tables_.fine_length(), fft_columns(longest_length(tables_, quadrature)))),
      product_fft_(make_fft(product_length_, fft_columns(longest_length(tables_, quadrature)))),
      outer_(column_buffer(chunk_, outer_length(tables_), stream)),
      product_(column_buffer(chunk_, product_length_, stream)),
      extra_(kernels::circle_work(tables_.width())) {}

template <class T>
kernels::DeviceSpectrumChange DeviceQuadrature<T>::to_product(int from, int degree,
                                                              DevicePointer<const Complex> scaled) const {
  return {from, product_length_, degree, kernels::values(scaled), kernels::values(product_twiddle_.data())};
}

template <class T>
kernels::DeviceSpectrumChange DeviceQuadrature<T>::from_product(int to, int degree, DevicePointer<const Complex> scaled,
                                                                DevicePointer<const Complex> twiddle) const {
  return {product_length_, to, degree, kernels::values(scaled), kernels::values(twiddle)};
}

template <class T>
void DeviceQuadrature<T>::multiply(const kernels::ThetaColumns& columns, double gain, const kernels::Stream& stream) {
  product_fft_->forward(product_.data(), columns.count(), stream);
  weigh_sequences(tables_.task(), columns, weights_.data(), gain, product_length_, product_.data(), stream.get());
  product_fft_->forward(product_.data(), columns.count(), stream);
}

template <class T>
void DeviceQuadrature<T>::from_rings(const kernels::ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                                     const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  kernels::gather_circle<T>(task, columns, delta, extra_.data(), outer_.data(), stream.get());
  fine_fft_->forward(outer_.data(), columns.count(), stream);
  change_spectrum(task, columns, to_product(task.fine_length, grid_degree_, from_grid_.data()), outer_.data(),
                  product_.data(), stream.get());
}

template <class T>
void DeviceQuadrature<T>::to_rings(const kernels::ThetaColumns& columns, DevicePointer<std::complex<T>> delta,
                                   const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  change_spectrum(task, columns, from_product(task.fine_length, grid_degree_, to_grid_.data(), tables_.fine_twiddle()),
                  product_.data(), outer_.data(), stream.get());
  fine_fft_->forward(outer_.data(), columns.count(), stream);
  kernels::interpolate_circle<T>(task, columns, outer_.data(), extra_.data(), delta, stream.get());
}

template <class T>
void DeviceQuadrature<T>::rings_to_rings(DevicePointer<std::complex<T>> delta, const kernels::Stream& stream) {
  for_each_chunk(0, tables_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    from_rings(columns, delta, stream);
    multiply(columns, grid_gain_, stream);
    to_rings(columns, delta, stream);
  });
}

template <class T>
void DeviceQuadrature<T>::rings_to_source(DevicePointer<const std::complex<T>> delta, DevicePointer<Complex> source,
                                          const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  for_each_chunk(0, tables_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    from_rings(columns, delta, stream);
    multiply(columns, 1, stream);
    change_spectrum(task, columns,
                    from_product(task.source_length, source_degree_, to_source_.data(), tables_.source_twiddle()),
                    product_.data(), outer_.data(), stream.get());
    source_fft_->forward(outer_.data(), columns.count(), stream);
    sequence_to_source(task, columns, outer_.data(), source, stream.get());
  });
}

template <class T>
void DeviceQuadrature<T>::source_to_rings(DevicePointer<const Complex> source, DevicePointer<std::complex<T>> delta,
                                          const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  for_each_chunk(0, tables_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    source_to_sequence(task, columns, source, outer_.data(), stream.get());
    source_fft_->forward(outer_.data(), columns.count(), stream);
    change_spectrum(task, columns, to_product(task.source_length, source_degree_, from_source_.data()), outer_.data(),
                    product_.data(), stream.get());
    multiply(columns, 1, stream);
    to_rings(columns, delta, stream);
  });
}

ARMILLA_INSTANTIATE_CLASS(DeviceQuadrature);

}  // namespace armilla::backend

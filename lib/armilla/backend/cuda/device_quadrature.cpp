#include <armilla/backend/cuda/device_quadrature.hpp>
#include <armilla/core/instantiate.hpp>

#include <kernels/theta/theta.hpp>

namespace armilla::backend {

namespace {

using Complex = std::complex<double>;
using resample::ThetaQuadrature;

}  // namespace

template <class T>
DeviceQuadrature<T>::DeviceQuadrature(const legendre::Task& task, const ThetaQuadrature& quadrature,
                                      const MakeColumnFft& make_fft, Index work_bytes, const kernels::Stream& stream)
    : theta_(task, quadrature.source_side(), quadrature.grid_side(), &quadrature.rings(), stream),
      source_degree_(static_cast<int>(quadrature.source_side().lmax())),
      grid_degree_(static_cast<int>(quadrature.grid_side().lmax())),
      sizes_(theta_.width(), theta_.lengths(), source_degree_, grid_degree_),
      product_length_(static_cast<int>(sizes_.weights.count)),
      grid_gain_(quadrature.grid_gain()),
      chunk_(sizes_.columns.chunk(work_bytes)),
      weights_(tables_.add(sizes_.weights, quadrature.product().weights(), stream)),
      product_twiddle_(tables_.add(sizes_.product_twiddle, quadrature.product().twiddle(), stream)),
      from_source_(tables_.add(sizes_.from_source, quadrature.from_source(), stream)),
      from_grid_(tables_.add(sizes_.from_grid, quadrature.from_grid(), stream)),
      to_source_(tables_.add(sizes_.to_source, quadrature.to_source(), stream)),
      to_grid_(tables_.add(sizes_.to_grid, quadrature.to_grid(), stream)),
      source_fft_(make_fft(sizes_.columns.ffts[0], sizes_.columns.call())),
      fine_fft_(make_fft(sizes_.columns.ffts[1], sizes_.columns.call())),
      product_fft_(make_fft(sizes_.columns.ffts[2], sizes_.columns.call())),
      outer_(column_buffer(chunk_, sizes_.columns.sequences[0], stream)),
      product_(column_buffer(chunk_, sizes_.columns.sequences[1], stream)),
      extra_(sizes_.extra.count) {}

template <class T>
kernels::DeviceSpectrumChange DeviceQuadrature<T>::to_product(int from, int degree,
                                                              DevicePointer<const Complex> scaled) const {
  return {from, product_length_, degree, kernels::values(scaled), kernels::values(product_twiddle_)};
}

template <class T>
kernels::DeviceSpectrumChange DeviceQuadrature<T>::from_product(int to, int degree, DevicePointer<const Complex> scaled,
                                                                DevicePointer<const Complex> twiddle) const {
  return {product_length_, to, degree, kernels::values(scaled), kernels::values(twiddle)};
}

template <class T>
void DeviceQuadrature<T>::multiply(const kernels::ThetaColumns& columns, double gain, const kernels::Stream& stream) {
  product_fft_->forward(product_.data(), columns.count(), stream);
  weigh_sequences(theta_.task(), columns, weights_, gain, product_length_, product_.data(), stream.get());
  product_fft_->forward(product_.data(), columns.count(), stream);
}

template <class T>
void DeviceQuadrature<T>::from_rings(const kernels::ThetaColumns& columns, DevicePointer<const std::complex<T>> delta,
                                     const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = theta_.task();
  kernels::gather_circle<T>(task, columns, delta, extra_.data(), outer_.data(), stream.get());
  fine_fft_->forward(outer_.data(), columns.count(), stream);
  change_spectrum(task, columns, to_product(task.fine_length, grid_degree_, from_grid_), outer_.data(), product_.data(),
                  stream.get());
}

template <class T>
void DeviceQuadrature<T>::to_rings(const kernels::ThetaColumns& columns, DevicePointer<std::complex<T>> delta,
                                   const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = theta_.task();
  change_spectrum(task, columns, from_product(task.fine_length, grid_degree_, to_grid_, theta_.fine_twiddle()),
                  product_.data(), outer_.data(), stream.get());
  fine_fft_->forward(outer_.data(), columns.count(), stream);
  kernels::interpolate_circle<T>(task, columns, outer_.data(), extra_.data(), delta, stream.get());
}

template <class T>
void DeviceQuadrature<T>::rings_to_rings(DevicePointer<std::complex<T>> delta, const kernels::Stream& stream) {
  for_each_chunk(0, theta_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    from_rings(columns, delta, stream);
    multiply(columns, grid_gain_, stream);
    to_rings(columns, delta, stream);
  });
}

template <class T>
void DeviceQuadrature<T>::rings_to_source(DevicePointer<const std::complex<T>> delta, DevicePointer<Complex> source,
                                          const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = theta_.task();
  for_each_chunk(0, theta_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    from_rings(columns, delta, stream);
    multiply(columns, 1, stream);
    change_spectrum(task, columns,
                    from_product(task.source_length, source_degree_, to_source_, theta_.source_twiddle()),
                    product_.data(), outer_.data(), stream.get());
    source_fft_->forward(outer_.data(), columns.count(), stream);
    sequence_to_source(task, columns, outer_.data(), source, stream.get());
  });
}

template <class T>
void DeviceQuadrature<T>::source_to_rings(DevicePointer<const Complex> source, DevicePointer<std::complex<T>> delta,
                                          const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = theta_.task();
  for_each_chunk(0, theta_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    source_to_sequence(task, columns, source, outer_.data(), stream.get());
    source_fft_->forward(outer_.data(), columns.count(), stream);
    change_spectrum(task, columns, to_product(task.source_length, source_degree_, from_source_), outer_.data(),
                    product_.data(), stream.get());
    multiply(columns, 1, stream);
    to_rings(columns, delta, stream);
  });
}

ARMILLA_INSTANTIATE_CLASS(DeviceQuadrature);

}  // namespace armilla::backend

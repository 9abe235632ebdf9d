#include <armilla/backend/cuda/device_theta.hpp>
#include <armilla/core/instantiate.hpp>

#include <kernels/theta/theta.hpp>

namespace armilla::backend {

namespace {

using Complex = std::complex<double>;

}  // namespace

template <class T>
DeviceTheta<T>::DeviceTheta(const legendre::Task& task, const resample::ThetaResampler& resampler,
                            const MakeColumnFft& make_fft, Index work_bytes, const kernels::Stream& stream)
    : tables_(task, resampler, stream),
      columns_(theta_columns(tables_.lengths())),
      chunk_(columns_.chunk(work_bytes)),
      source_fft_(make_fft(columns_.ffts[0], columns_.call())),
      fine_fft_(make_fft(columns_.ffts[1], columns_.call())),
      source_sequence_(column_buffer(chunk_, columns_.sequences[0], stream)),
      fine_sequence_(column_buffer(chunk_, columns_.sequences[1], stream)) {}

template <class T>
void DeviceTheta<T>::to_rings(const OrderRange& orders, DevicePointer<const Complex> source,
                              DevicePointer<std::complex<T>> delta, const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  const Index width = tables_.width();
  for_each_chunk(orders.begin * width, orders.end * width, chunk_, [&](const kernels::ThetaColumns& columns) {
    source_to_sequence(task, columns, source, source_sequence_.data(), stream.get());
    source_fft_->forward(source_sequence_.data(), columns.count(), stream);
    change_spectrum(task, columns, tables_.to_fine(), source_sequence_.data(), fine_sequence_.data(), stream.get());
    fine_fft_->forward(fine_sequence_.data(), columns.count(), stream);
    if (tables_.is_on_fine_grid())
      kernels::take_fine_grid<T>(task, columns, fine_sequence_.data(), delta, stream.get());
    else
      kernels::interpolate_targets<T>(task, columns, fine_sequence_.data(), delta, stream.get());
  });
}

template <class T>
void DeviceTheta<T>::to_source(const OrderRange& orders, DevicePointer<const std::complex<T>> delta,
                               DevicePointer<Complex> source, const kernels::Stream& stream) {
  const kernels::DeviceThetaTask& task = tables_.task();
  const Index width = tables_.width();
  for_each_chunk(orders.begin * width, orders.end * width, chunk_, [&](const kernels::ThetaColumns& columns) {
    if (tables_.is_on_fine_grid())
      kernels::put_fine_grid<T>(task, columns, delta, fine_sequence_.data(), stream.get());
    else
      kernels::gather_targets<T>(task, columns, delta, fine_sequence_.data(), stream.get());
    fine_fft_->forward(fine_sequence_.data(), columns.count(), stream);
    change_spectrum(task, columns, tables_.to_source(), fine_sequence_.data(), source_sequence_.data(), stream.get());
    source_fft_->forward(source_sequence_.data(), columns.count(), stream);
    sequence_to_source(task, columns, source_sequence_.data(), source, stream.get());
  });
}

ARMILLA_INSTANTIATE_CLASS(DeviceTheta);

}  // namespace armilla::backend

#include <armilla/backend/cuda/device_theta.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <kernels/theta/theta.hpp>

namespace armilla::backend {

namespace {

using Complex = std::complex<double>;

// Numbers of the larger buffer of a chunk: 32 MiB, which stay in the cache of a large device from step to step.
constexpr Index kChunkNumbers = Index{1} << 21;
constexpr Index kLeastColumns = 32;

Index bytes_per_column(const ThetaTables& tables) {
  return (tables.source_length() + tables.fine_length()) * static_cast<Index>(sizeof(Complex));
}

Index chunk_columns(const ThetaTables& tables, Index work_bytes) {
  const Index wanted = std::max(kLeastColumns, kChunkNumbers / tables.fine_length());
  const Index most = work_bytes / bytes_per_column(tables);
  if (most < 1)
    throw core::ResourceError(fmt::format("resampling in theta on the GPU: one column takes {} bytes, but there are {}",
                                          bytes_per_column(tables), work_bytes));
  return std::min(wanted, most);
}

ThetaArrays<kernels::DeviceBuffer> upload_all(const ThetaArrays<ThetaTables::Vector>& host,
                                              const kernels::Stream& stream) {
  const auto up = [&]<class Number>(const std::vector<Number>& table) {
    return kernels::upload<Number>(table, stream);
  };
  return {.block_shift = up(host.block_shift),
          .north_slot = up(host.north_slot),
          .south_slot = up(host.south_slot),
          .first_pair = up(host.first_pair),
          .first_source = up(host.first_source),
          .pair_block = up(host.pair_block),
          .first_point = up(host.first_point),
          .entry_begin = up(host.entry_begin),
          .sign = up(host.sign),
          .weights = up(host.weights),
          .entries = up(host.entries),
          .source_twiddle = up(host.source_twiddle),
          .fine_twiddle = up(host.fine_twiddle),
          .source_scaled = up(host.source_scaled),
          .fine_scaled = up(host.fine_scaled)};
}

// A buffer of columns; FFTs go over all of it, so that what no column has written must be numbers.
kernels::DeviceBuffer<Complex> column_buffer(Index columns, Index length, const kernels::Stream& stream) {
  kernels::DeviceBuffer<Complex> buffer(columns * length);
  kernels::fill_zero(buffer.data(), buffer.size(), stream);
  return buffer;
}

// Calls body(columns) for all columns, a chunk at a time.
template <class Body>
void for_each_chunk(Index columns, Index chunk, Body&& body) {
  for (Index begin = 0; begin < columns; begin += chunk)
    body(kernels::ThetaColumns{begin, std::min(begin + chunk, columns)});
}

}  // namespace

template <class T>
DeviceTheta<T>::DeviceTheta(const legendre::Task& task, const resample::ThetaResampler& resampler,
                            const MakeColumnFft& make_fft, Index work_bytes, const kernels::Stream& stream)
    : tables_(task, resampler),
      chunk_(chunk_columns(tables_, work_bytes)),
      arrays_(upload_all(tables_.arrays(), stream)),
      source_fft_(make_fft(tables_.source_length(), chunk_)),
      fine_fft_(make_fft(tables_.fine_length(), chunk_)),
      source_sequence_(column_buffer(chunk_, tables_.source_length(), stream)),
      fine_sequence_(column_buffer(chunk_, tables_.fine_length(), stream)) {}

template <class T>
void DeviceTheta<T>::to_rings(const Complex* source, std::complex<T>* delta, const kernels::Stream& stream) {
  const kernels::ThetaTask task = tables_.task(arrays_);
  for_each_chunk(tables_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    source_to_sequence(task, columns, source, source_sequence_.data(), stream.get());
    source_fft_->forward(source_sequence_.data(), stream);
    change_spectrum(task, columns, tables_.to_fine(arrays_), source_sequence_.data(), fine_sequence_.data(),
                    stream.get());
    fine_fft_->forward(fine_sequence_.data(), stream);
    kernels::interpolate_targets<T>(task, columns, fine_sequence_.data(), delta, stream.get());
  });
}

template <class T>
void DeviceTheta<T>::to_source(const std::complex<T>* delta, Complex* source, const kernels::Stream& stream) {
  const kernels::ThetaTask task = tables_.task(arrays_);
  for_each_chunk(tables_.columns(), chunk_, [&](const kernels::ThetaColumns& columns) {
    kernels::gather_targets<T>(task, columns, delta, fine_sequence_.data(), stream.get());
    fine_fft_->forward(fine_sequence_.data(), stream);
    change_spectrum(task, columns, tables_.to_source(arrays_), fine_sequence_.data(), source_sequence_.data(),
                    stream.get());
    source_fft_->forward(source_sequence_.data(), stream);
    sequence_to_source(task, columns, source_sequence_.data(), source, stream.get());
  });
}

template <class T>
Index DeviceTheta<T>::bytes(const legendre::Task& task, const resample::ThetaResampler& resampler, Index work_bytes) {
  const ThetaTables tables(task, resampler);
  return tables.bytes() + chunk_columns(tables, work_bytes) * bytes_per_column(tables);
}

template class DeviceTheta<float>;
template class DeviceTheta<double>;

}  // namespace armilla::backend

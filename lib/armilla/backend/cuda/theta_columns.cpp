#include <armilla/backend/cuda/theta_columns.hpp>

namespace armilla::backend {

ThetaArrays<kernels::DeviceBuffer> upload(const ThetaArrays<ThetaTables::Vector>& host, const kernels::Stream& stream) {
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
          .ring_factor = up(host.ring_factor),
          .extra_share = up(host.extra_share),
          .entries = up(host.entries),
          .source_twiddle = up(host.source_twiddle),
          .fine_twiddle = up(host.fine_twiddle),
          .source_scaled = up(host.source_scaled),
          .fine_scaled = up(host.fine_scaled)};
}

kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length, const kernels::Stream& stream) {
  kernels::DeviceBuffer<std::complex<double>> buffer(columns * length);
  kernels::fill_zero(buffer.data(), buffer.size(), stream);
  stream.wait();
  return buffer;
}

}  // namespace armilla::backend

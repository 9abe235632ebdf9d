#include <armilla/backend/cuda/theta_columns.hpp>
#include <armilla/core/error.hpp>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

constexpr Index kChunkNumbers = Index{1} << 21;
constexpr Index kLeastColumns = 32;

}  // namespace

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

Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes) {
  const Index most = work_bytes / bytes_per_column;
  if (most < 1)
    throw core::ResourceError(fmt::format("resampling in theta on the GPU: one column takes {} bytes, but there are {}",
                                          bytes_per_column, work_bytes));
  return std::min(std::max(kLeastColumns, kChunkNumbers / length), most);
}

kernels::DeviceBuffer<std::complex<double>> column_buffer(Index columns, Index length, const kernels::Stream& stream) {
  kernels::DeviceBuffer<std::complex<double>> buffer(columns * length);
  kernels::fill_zero(buffer.data(), buffer.size(), stream);
  return buffer;
}

}  // namespace armilla::backend

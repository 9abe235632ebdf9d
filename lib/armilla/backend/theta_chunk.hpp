#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::backend {

using core::Index;

/// Columns whose FFTs of `length` are one call: as many at any working space, because with another number cuFFT may add
/// up in another order. They make up to 8 MiB.
inline Index fft_columns(Index length) { return std::clamp((Index{1} << 19) / length, Index{8}, Index{256}); }

/// Columns that go through the steps of resampling on a device together: about as many as make 32 MiB of `length`
/// numbers each, which stay in the cache of a large device from step to step. A multiple of fft_columns().
inline Index regular_chunk(Index length) {
  const Index call = fft_columns(length);
  return std::max(4 * call, (Index{1} << 21) / length / call * call);
}

/// The same, or fewer where `work_bytes` do not hold them. Throws ResourceError where they do not hold fft_columns().
inline Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes) {
  const Index call = fft_columns(length);
  const Index calls = work_bytes / (call * bytes_per_column);
  if (calls < 1)
    throw core::ResourceError(fmt::format("resampling in theta on the GPU: {} columns take {} bytes, but there are {}",
                                          call, call * bytes_per_column, work_bytes));
  return std::min(regular_chunk(length), calls * call);
}

}  // namespace armilla::backend

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::backend {

using core::Index;

/// Columns per call of FFTs of `length`: a block of cuFFT transforms one column, and there are enough for all
/// multiprocessors; up to 64 MiB. The number is independent of the workspace size, because cuFFT may sum in a different
/// order for another number.
inline Index fft_columns(Index length) { return std::clamp((Index{1} << 22) / length, Index{8}, Index{256}); }

/// Columns that pass together through the steps of resampling on a device: about 32 MiB of `length` values each, which
/// stay in the cache of a large device between steps, but at least the columns of one FFT call. A multiple of
/// fft_columns().
inline Index regular_chunk(Index length) {
  const Index call = fft_columns(length);
  return std::max(call, (Index{1} << 21) / length / call * call);
}

/// regular_chunk(), or fewer columns if `work_bytes` cannot hold them. Throws ResourceError if it cannot hold
/// fft_columns() columns.
inline Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes) {
  const Index call = fft_columns(length);
  const Index calls = work_bytes / (call * bytes_per_column);
  if (calls < 1)
    throw core::ResourceError(
        fmt::format("resampling in theta on the GPU: {} columns need {} bytes, but {} are available", call,
                    call * bytes_per_column, work_bytes));
  return std::min(regular_chunk(length), calls * call);
}

}  // namespace armilla::backend

#pragma once

#include <armilla/core/error.hpp>
#include <armilla/core/types.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::backend {

using core::Index;

/// Columns that go through the steps of resampling on a device together: as many as make 32 MiB of `length` numbers
/// each, which stay in the cache of a large device from step to step.
inline Index regular_chunk(Index length) { return std::max(Index{32}, (Index{1} << 21) / length); }

/// The same, or fewer where `work_bytes` do not hold them. Throws ResourceError where they do not hold one.
inline Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes) {
  const Index max = work_bytes / bytes_per_column;
  if (max < 1)
    throw core::ResourceError(fmt::format("resampling in theta on the GPU: one column takes {} bytes, but there are {}",
                                          bytes_per_column, work_bytes));
  return std::min(regular_chunk(length), max);
}

}  // namespace armilla::backend

#include <armilla/backend/theta_chunk.hpp>
#include <armilla/core/error.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::backend {

namespace {

constexpr Index kChunkNumbers = Index{1} << 21;
constexpr Index kMinColumns = 32;

}  // namespace

Index regular_chunk(Index length) { return std::max(kMinColumns, kChunkNumbers / length); }

Index columns_of_chunk(Index length, Index bytes_per_column, Index work_bytes) {
  const Index most = work_bytes / bytes_per_column;
  if (most < 1)
    throw core::ResourceError(fmt::format("resampling in theta on the GPU: one column takes {} bytes, but there are {}",
                                          bytes_per_column, work_bytes));
  return std::min(regular_chunk(length), most);
}

}  // namespace armilla::backend

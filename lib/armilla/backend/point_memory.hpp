#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/backend/point_tables.hpp>

#include <algorithm>

namespace armilla::backend {

/// Bytes of the sums of one chunk of points.
template <class T>
Index sum_bytes(int width, Index fields) {
  return fields * kernels::nufft_patch_size(width) * static_cast<Index>(sizeof(T));
}

/// Device memory of a PointEngine without its arrays. Of `chunks` chunks, at most `shared` belong to cells with several
/// chunks.
template <class T>
DeviceEstimate point_engine_memory(int width, Index fields, Index rows, Index points, Index chunks, Index shared) {
  constexpr auto kChunk = static_cast<Index>(sizeof(kernels::NufftChunk));
  return {{.tables = points * static_cast<Index>(sizeof(kernels::NufftPoint<T>)) + 2 * chunks * kChunk +
                     shared * static_cast<Index>(sizeof(kernels::NufftSums)) +
                     rows * static_cast<Index>(sizeof(Index) + sizeof(kernels::NufftMirror)) +
                     fields * static_cast<Index>(sizeof(int))},
          {{std::min<Index>(shared, 1) * sum_bytes<T>(width, fields), shared * sum_bytes<T>(width, fields)}}};
}

}  // namespace armilla::backend

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/nufft/cell_kernels.hpp>
#include <armilla/nufft/cell_samples.hpp>
#include <armilla/nufft/interpolate.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::nufft {

using core::at;

template <class T>
void interpolate(const PointPlan<T>& plan, std::span<const T* const* const> rows, std::span<T* const> values) {
  if (rows.size() != values.size())
    throw core::InternalError(fmt::format("interpolation from {} bands to {} fields", rows.size(), values.size()));
  const CellGrid& grid = plan.grid();
  const std::span<const PointChunk> chunks = plan.chunks();
  const auto fields = static_cast<Index>(rows.size());
  const Index stride = grid.buffer_size();
  core::AlignedBuffer<T> buffers(omp_get_max_threads() * fields * stride);
#pragma omp parallel
  {
    T* buffer = buffers.data() + omp_get_thread_num() * fields * stride;
    std::fill_n(buffer, fields * stride, T(0));
#pragma omp for schedule(dynamic, 8)
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const PointChunk& chunk = chunks[i];
      if (i + 1 < chunks.size())
        for (Index f = 0; f < fields; ++f) prefetch_cell(grid, plan.band(), chunks[i + 1].cell, rows[at(f)]);
      for (Index f = 0; f < fields; ++f) load_cell(grid, plan.band(), chunk.cell, rows[at(f)], buffer + f * stride);
      const auto points = plan.points().subspan(at(chunk.begin));
      const CellPoints<T> cell{.table = &plan.table(),
                               .points = points.data(),
                               .count = chunk.end - chunk.begin,
                               .end = points.data() + points.size(),
                               .stride = stride,
                               .fields = fields};
      interpolate_cell(cell, buffer, values.data());
    }
  }
}

template <class T>
core::MemoryEstimate interpolation_memory(const PointPlan<T>& plan, Index fields) {
  return {.workspace = omp_get_max_threads() * fields * plan.grid().buffer_size() * static_cast<Index>(sizeof(T))};
}

ARMILLA_INSTANTIATE(interpolate);
ARMILLA_INSTANTIATE(interpolation_memory);

}  // namespace armilla::nufft

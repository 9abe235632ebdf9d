#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/nufft/cell_kernels.hpp>
#include <armilla/nufft/cell_samples.hpp>
#include <armilla/nufft/spread.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

namespace armilla::nufft {

using core::at;

namespace {

// Approximate number of columns of cells in a segment: 512 samples, so that a segment of a strip fits in the L2 cache.
constexpr Index kSegmentCells = 32;

// An even number of segments, so that every second one can be processed concurrently. Windows extend into the next
// segment and no farther, because a segment has at least two cells (at the end of a row, one cell and a narrower one).
Index segment_count(const CellGrid& grid) { return std::max<Index>(1, grid.columns / (2 * kSegmentCells)) * 2; }

// Chunks of cells that have several. Their sums are stored separately, then added in order.
std::vector<Index> shared_chunks(std::span<const PointChunk> chunks, std::vector<Index>& place) {
  std::vector<Index> shared;
  place.assign(chunks.size(), -1);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const bool is_shared = (i > 0 && chunks[i - 1].cell == chunks[i].cell) ||
                           (i + 1 < chunks.size() && chunks[i + 1].cell == chunks[i].cell);
    if (!is_shared) continue;
    place[i] = static_cast<Index>(shared.size());
    shared.push_back(static_cast<Index>(i));
  }
  return shared;
}

template <class T>
class Spreading {
 public:
  Spreading(const PointPlan<T>& plan, std::span<const T* const> values, std::span<T* const* const> rows)
      : plan_(plan),
        grid_(plan.grid()),
        values_(values),
        rows_(rows),
        fields_(static_cast<Index>(rows.size())),
        segments_(segment_count(grid_)),
        stride_(grid_.buffer_size()),
        overhang_size_((grid_.width - 1) * grid_.fine_length),
        shared_(shared_chunks(plan.chunks(), place_)),
        sums_(static_cast<Index>(shared_.size()) * fields_ * stride_),
        overhang_(grid_.strips * fields_ * overhang_size_),
        buffers_(omp_get_max_threads() * fields_ * stride_) {}

  void operator()() {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (std::size_t i = 0; i < shared_.size(); ++i)
        sum_chunk(shared_[i], sums_.data() + static_cast<Index>(i) * fields_ * stride_);
      const Index pairs = segments_ / 2;
      for (int parity = 0; parity < 2; ++parity) {
#pragma omp for schedule(dynamic)
        for (Index task = 0; task < grid_.strips * pairs; ++task) {
          const Index strip = task / pairs, segment = task % pairs * 2 + parity;
          if (parity == 0) clear(strip, segment);
          add_segment(strip, segment);
        }
      }
#pragma omp for schedule(dynamic)
      for (Index strip = 1; strip < grid_.strips; ++strip) add_overhang(strip);
    }
  }

 private:
  Index segment_begin(Index segment) const { return grid_.columns * segment / segments_; }
  T* overhang(Index strip, Index field) { return overhang_.data() + (strip * fields_ + field) * overhang_size_; }
  T* row_of(Index row, Index field) { return rows_[at(field)][row - plan_.band().first_row]; }
  struct Rows {
    Index begin, end;
  };
  // Rows of the band among the first `count` rows of a strip.
  Rows rows_of(Index strip, Index count) const {
    const Index first = (grid_.first_strip + strip) * kCellRows;
    return {std::max(first, plan_.band().first_row), std::min(first + count, plan_.band().end_row())};
  }

  void sum_chunk(Index chunk, T* sums) {
    const PointChunk& points = plan_.chunks()[at(chunk)];
    std::fill_n(sums, fields_ * stride_, T(0));
    const auto from = plan_.points().subspan(at(points.begin));
    const CellPoints<T> cell{.table = &plan_.table(),
                             .points = from.data(),
                             .count = points.end - points.begin,
                             .end = from.data() + from.size(),
                             .stride = stride_,
                             .fields = fields_};
    spread_cell(cell, values_.data(), sums);
  }

  // Clears a segment and the next one, into which its windows extend.
  void clear(Index strip, Index segment) {
    const Index begin = segment_begin(segment) * kCellColumns;
    const Index count = std::min(segment_begin(segment + 2) * kCellColumns, grid_.fine_length) - begin;
    const Rows rows = rows_of(strip, kCellRows);
    for (Index field = 0; field < fields_; ++field) {
      for (Index row = rows.begin; row < rows.end; ++row) std::fill_n(row_of(row, field) + begin, count, T(0));
      for (Index row = 0; row < grid_.width - 1; ++row)
        std::fill_n(overhang(strip, field) + row * grid_.fine_length + begin, count, T(0));
    }
  }

  void add_segment(Index strip, Index segment) {
    T* buffer = buffers_.data() + omp_get_thread_num() * fields_ * stride_;
    for (Index column = segment_begin(segment); column < segment_begin(segment + 1); ++column) {
      const Index cell = strip * grid_.columns + column;
      const Index begin = plan_.chunk_begin()[at(cell)], end = plan_.chunk_begin()[at(cell + 1)];
      if (begin == end) continue;
      if (end - begin == 1)
        sum_chunk(begin, buffer);
      else
        add_chunks(begin, end, buffer);
      for (Index field = 0; field < fields_; ++field)
        add_cell(grid_, plan_.band(), cell, buffer + field * stride_, rows_[at(field)], overhang(strip, field));
    }
  }

  void add_chunks(Index begin, Index end, T* buffer) const {
    std::fill_n(buffer, fields_ * stride_, T(0));
    for (Index chunk = begin; chunk < end; ++chunk) {
      const T* sums = sums_.data() + place_[at(chunk)] * fields_ * stride_;
      for (Index i = 0; i < fields_ * stride_; ++i) buffer[i] += sums[i];
    }
  }

  void add_overhang(Index strip) {
    const Rows rows = rows_of(strip, grid_.width - 1);
    const Index first = (grid_.first_strip + strip) * kCellRows;
    for (Index field = 0; field < fields_; ++field)
      for (Index row = rows.begin; row < rows.end; ++row) {
        const T* from = overhang(strip - 1, field) + (row - first) * grid_.fine_length;
        T* to = row_of(row, field);
        for (Index i = 0; i < grid_.fine_length; ++i) to[i] += from[i];
      }
  }

  const PointPlan<T>& plan_;
  const CellGrid& grid_;
  std::span<const T* const> values_;
  std::span<T* const* const> rows_;
  Index fields_;
  Index segments_;
  Index stride_;
  Index overhang_size_;
  std::vector<Index> place_;  ///< [chunk] index of its sums, or -1
  std::vector<Index> shared_;
  core::AlignedBuffer<T> sums_;      ///< [shared chunk][field][buffer of a cell]
  core::AlignedBuffer<T> overhang_;  ///< [strip][field][width - 1 rows][fine_length] contributions to the next strip
  core::AlignedBuffer<T> buffers_;   ///< [thread][field][buffer of a cell]
};

}  // namespace

template <class T>
void spread(const PointPlan<T>& plan, std::span<const T* const> values, std::span<T* const* const> rows) {
  if (rows.size() != values.size())
    throw core::InternalError(fmt::format("spreading from {} fields to {} bands", values.size(), rows.size()));
  Spreading<T> spreading(plan, values, rows);
  spreading();
}

template <class T>
core::MemoryEstimate spreading_memory(const PointPlan<T>& plan, Index fields) {
  std::vector<Index> place;
  const CellGrid& grid = plan.grid();
  const auto shared = static_cast<Index>(shared_chunks(plan.chunks(), place).size());
  return {.workspace = fields * static_cast<Index>(sizeof(T)) *
                           ((shared + omp_get_max_threads()) * grid.buffer_size() +
                            grid.strips * (grid.width - 1) * grid.fine_length) +
                       static_cast<Index>(plan.chunks().size() + at(shared)) * static_cast<Index>(sizeof(Index))};
}

ARMILLA_INSTANTIATE(spread);
ARMILLA_INSTANTIATE(spreading_memory);

}  // namespace armilla::nufft

#include <armilla/core/instantiate.hpp>
#include <armilla/nufft/cell_samples.hpp>

#include <algorithm>

#include <hwy/cache_control.h>

namespace armilla::nufft {

namespace {

// Columns of a cell's windows, as two runs if they extend beyond the last column.
struct Runs {
  Index first_column;
  Index before;  // columns up to the end of the row
  Index behind;  // columns from the start of the row on

  Runs(const CellGrid& grid, Index cell)
      : first_column(grid.first_column(cell)),
        before(std::min(grid.window_columns(cell), grid.fine_length - first_column)),
        behind(grid.window_columns(cell) - before) {}
};

template <class T>
void add_row(const Runs& runs, const T* buffer, T* row) {
  T* to = row + runs.first_column;
  for (Index i = 0; i < runs.before; ++i) to[i] += buffer[i];
  for (Index i = 0; i < runs.behind; ++i) row[i] += buffer[runs.before + i];
}

}  // namespace

template <class T>
void load_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows, T* buffer) {
  const Runs runs(grid, cell);
  const Index first = grid.first_row(cell);
  const Index begin = std::max(first, band.first_row), end = std::min(first + grid.window_rows(), band.end_row());
  for (Index row = begin; row < end; ++row) {
    const T* from = rows[row - band.first_row];
    T* to = buffer + (row - first) * kCellPitch;
    std::copy_n(from + runs.first_column, runs.before, to);
    std::copy_n(from, runs.behind, to + runs.before);
  }
}

template <class T>
void prefetch_cell(const CellGrid& grid, const Band& band, Index cell, const T* const* rows) {
  constexpr auto kLine = static_cast<Index>(64 / sizeof(T));
  const Index first = grid.first_row(cell);
  const Index begin = std::max(first, band.first_row), end = std::min(first + grid.window_rows(), band.end_row());
  const Index column = grid.first_column(cell) + grid.width - 1;
  const Index columns = std::min(kCellColumns, grid.fine_length - column);
  for (Index row = begin; row < end; ++row) {
    const T* from = rows[row - band.first_row] + column;
    for (Index i = 0; i < columns; i += kLine) hwy::Prefetch(from + i);
    hwy::Prefetch(from + columns - 1);  // for one more cache line if the row is not aligned
  }
}

template <class T>
void add_cell(const CellGrid& grid, const Band& band, Index cell, const T* buffer, T* const* rows, T* overhang) {
  const Runs runs(grid, cell);
  const Index first = grid.first_row(cell);
  const Index begin = std::max(first, band.first_row), end = std::min(first + kCellRows, band.end_row());
  for (Index row = begin; row < end; ++row)
    add_row(runs, buffer + (row - first) * kCellPitch, rows[row - band.first_row]);
  for (Index row = 0; row < grid.width - 1; ++row)
    add_row(runs, buffer + (kCellRows + row) * kCellPitch, overhang + row * grid.fine_length);
}

ARMILLA_INSTANTIATE(load_cell);
ARMILLA_INSTANTIATE(prefetch_cell);
ARMILLA_INSTANTIATE(add_cell);

}  // namespace armilla::nufft

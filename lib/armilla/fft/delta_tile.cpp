#include <armilla/core/instantiate.hpp>
#include <armilla/fft/delta_tile.hpp>
#include <armilla/fft/tile_kernel.hpp>

#include <algorithm>

namespace armilla::fft {

template <class T>
DeltaTile<T>::DeltaTile(Index rows) : values_(rows * kStride) {
  columns_.reserve(static_cast<std::size_t>(rows));
  runs_.reserve(static_cast<std::size_t>(rows));
}

template <class T>
void DeltaTile<T>::finish() {
  runs_.clear();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    const bool goes_on =
        i > 0 && column.row == columns_[i - 1].row + 1 && column.position == columns_[i - 1].position + 1;
    if (!goes_on) runs_.push_back({i, i, column.m_count, column.m_count});
    Run& run = runs_.back();
    run.end = i + 1;
    run.min_m = std::min(run.min_m, column.m_count);
    run.max_m = std::max(run.max_m, column.m_count);
  }
}

template <class T>
template <class OfBlock, class OfValue>
void DeltaTile<T>::for_each(std::span<const Index> m_shift, Index first, Index count, bool streamed,
                            const OfBlock& of_block, const OfValue& of_value) {
  const Index* shift = m_shift.data() + first;
  for (const Run& run : runs_) {
    const Column& begin = columns_[run.begin];
    const Index common = std::clamp(run.min_m - first, Index{0}, count);
    of_block(begin.position, TileBlock<T>{.m_shift = shift,
                                          .count = common,
                                          .columns = static_cast<Index>(run.end - run.begin),
                                          .fetched = run.max_m - first,
                                          .rows = row(begin.row),
                                          .stride = kStride,
                                          .streamed = streamed});
    for (std::size_t c = run.begin; c < run.end && run.max_m > first + common; ++c) {
      const Index end = std::min(count, columns_[c].m_count - first);
      for (Index i = common; i < end; ++i) of_value(shift[i] + columns_[c].position, row(columns_[c].row)[i]);
    }
  }
}

template <class T>
void DeltaTile<T>::gather(std::span<const Index> m_shift, Index first, Index count, const std::complex<T>* delta) {
  for_each(
      m_shift, first, count, false,
      [&](Index position, const TileBlock<T>& block) { read_block(block, delta + position); },
      [&](Index position, std::complex<T>& value) { value = delta[position]; });
}

template <class T>
void DeltaTile<T>::scatter(std::span<const Index> m_shift, Index first, Index count, bool streamed,
                           std::complex<T>* delta) {
  for_each(
      m_shift, first, count, streamed,
      [&](Index position, const TileBlock<T>& block) { write_block(block, delta + position); },
      [&](Index position, std::complex<T>& value) { delta[position] = value; });
}

ARMILLA_INSTANTIATE_CLASS(DeltaTile);

}  // namespace armilla::fft

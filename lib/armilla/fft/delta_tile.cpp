#include <armilla/fft/delta_tile.hpp>

#include <algorithm>

namespace armilla::fft {

namespace {

// No prefetcher of the hardware follows from m to m.
constexpr Index kAhead = 24;

}  // namespace

template <class T>
void DeltaTile<T>::finish() {
  constexpr Index kLineValues = 64 / static_cast<Index>(sizeof(std::complex<T>));
  lines_.clear();
  for (const Column& column : columns_)
    if (lines_.empty() || column.position >= lines_.back() + kLineValues) lines_.push_back(column.position);
  if (lines_.back() != columns_.back().position) lines_.push_back(columns_.back().position);
  least_m_ = std::ranges::min(columns_, {}, &Column::m_count).m_count;
  most_m_ = std::ranges::max(columns_, {}, &Column::m_count).m_count;
}

template <class T>
template <class Body>
void DeltaTile<T>::for_each(std::span<const Index> m_shift, Index first, Index count, const std::complex<T>* delta,
                            const Body& body) {
  const Index* shift = m_shift.data() + first;
  const Index ahead = most_m_ - first - kAhead;  // from there on there is nothing to fetch
  const bool whole = first + count <= least_m_;
  std::complex<T>* values = values_.data();
  for (Index i = 0; i < count; ++i) {
    if (i < ahead)
      for (const Index position : lines_) __builtin_prefetch(delta + shift[i + kAhead] + position);
    for (const Column& column : columns_)
      if (whole || first + i < column.m_count) body(shift[i] + column.position, values[column.row * kStride + i]);
  }
}

template <class T>
void DeltaTile<T>::gather(std::span<const Index> m_shift, Index first, Index count, const std::complex<T>* delta) {
  for_each(m_shift, first, count, delta, [&](Index position, std::complex<T>& value) { value = delta[position]; });
}

template <class T>
void DeltaTile<T>::scatter(std::span<const Index> m_shift, Index first, Index count, std::complex<T>* delta) {
  for_each(m_shift, first, count, delta, [&](Index position, std::complex<T>& value) { delta[position] = value; });
}

template class DeltaTile<float>;
template class DeltaTile<double>;

}  // namespace armilla::fft

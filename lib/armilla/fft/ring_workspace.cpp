#include <armilla/fft/ring_workspace.hpp>

#include <utility>

namespace armilla::fft {

static_assert(kTileM == UnitTable::kLow, "a tile of m takes its phases from one row of the table");

template <class T>
RingTransform<T>::Workspace::Workspace(const RingTransform& owner)
    : transform_(owner),
      ffts_(owner.plans_->sizes()),
      stride_(SplitBuffer<T>::padded(owner.longest_)),
      spectra_(stride_ * owner.columns_ * owner.max_units_),
      zeros_(owner.longest_),
      spare_(owner.longest_),
      tile_(2 * owner.max_units_ * owner.columns_),
      phases_(static_cast<std::size_t>(2 * owner.max_units_)) {
  std::fill_n(zeros_.data(), owner.longest_, T(0));
}

template <class T>
void RingTransform<T>::Workspace::set_block(const Block& block, Index w_begin, Index w_count) {
  block_ = &block;
  w_begin_ = w_begin;
  w_count_ = w_count;
  tile_.clear();
  for (std::size_t u = block.begin; u < block.end; ++u) {
    const Unit& unit = transform_.units_[u];
    for (const auto& [side, slot] : {std::pair(Index{0}, unit.real), std::pair(Index{1}, unit.imaginary)}) {
      if (slot < 0) continue;
      const Index row = 2 * static_cast<Index>(u - block.begin) + side;
      for (Index w = 0; w < w_count; ++w)
        tile_.add({row * transform_.columns_ + w, slot * transform_.task_.width() + w_begin + w, ring(slot).m_count});
      if (side == 0 || !shares_phase(unit))
        phases_[static_cast<std::size_t>(row)].set(ring(slot).phi0, ring(slot).m_count);
    }
  }
  tile_.finish();
}

template <class T>
std::complex<T>* RingTransform<T>::Workspace::spectrum(std::size_t unit, Index w) {
  return spectra_.data() + (static_cast<Index>(unit - block_->begin) * transform_.columns_ + w) * stride_;
}

template <class T>
Index RingTransform<T>::Workspace::first_pixel(Index slot, Index w) const {
  const RingTask& task = transform_.task_;
  return (w % task.maps) * task.map_stride + (w / task.maps) * task.component_stride + ring(slot).pixel;
}

template <class T>
template <class Body>
void RingTransform<T>::Workspace::for_each_unit(Index first, const Body& body) {
  const auto phase_at = [&](Index row) -> TilePhase<T> {
    const RingPhase<T>& phase = phases_[static_cast<std::size_t>(row)];
    const std::complex<T> high = phase.high(first / kTileM);
    return {{phase.low_re(), phase.low_im()}, high.real(), high.imag()};
  };
  for (std::size_t u = block_->begin; u < block_->end; ++u) {
    const Unit& unit = transform_.units_[u];
    const RingShape& north = ring(unit.real);
    const Index count = std::min(kTileM, north.m_count - first);
    if (count <= 0) continue;
    const Index row = 2 * static_cast<Index>(u - block_->begin);
    const bool paired = unit.imaginary >= 0;
    FoldTile<T> tile = {.first = first, .count = count, .n = north.nphi};
    if (north.phi0 != 0 || (paired && ring(unit.imaginary).phi0 != 0)) {
      tile.north_phase = phase_at(row);
      if (paired) tile.south_phase = phase_at(shares_phase(unit) ? row : row + 1);
    }
    for (Index w = 0; w < w_count_; ++w) {
      tile.north = tile_.row(row * transform_.columns_ + w);
      tile.south = paired ? tile_.row((row + 1) * transform_.columns_ + w) : nullptr;
      body(u, w, tile);
    }
  }
}

// Spectra have real and imaginary part exchanged, which turns the forward transform into the inverse one. The parts of
// its results are therefore exchanged, too.
template <class T>
void RingTransform<T>::Workspace::synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map) {
  const RingTask& task = transform_.task_;
  const auto scale = [&](Index slot, std::complex<T>* row, Index count) {
    const T by = static_cast<T>(factor[static_cast<std::size_t>(slot)]);
    for (Index i = 0; i < count; ++i) row[i] = {row[i].real() * by, row[i].imag() * by};
  };
  for (std::size_t u = block_->begin; u < block_->end; ++u) {
    const RingShape& north = ring(transform_.units_[u].real);
    const bool once = folds_once(north.m_count, north.nphi);
    const Index gap = once ? std::min(north.m_count, north.nphi) : 0;
    const Index end = once ? std::max(gap, north.nphi - std::max(Index{1}, north.m_count) + 1) : north.nphi;
    for (Index w = 0; w < w_count_; ++w) std::fill(spectrum(u, w) + gap, spectrum(u, w) + end, std::complex<T>(0));
  }
  for (Index m = 0; m < block_->m_count; m += kTileM) {
    tile_.gather(task.m_shift, m, std::min(kTileM, block_->m_count - m), delta);
    for_each_unit(m, [&](std::size_t u, Index w, const FoldTile<T>& tile) {
      const Unit& unit = transform_.units_[u];
      if (!factor.empty()) {
        scale(unit.real, tile.north, tile.count);
        if (tile.south != nullptr) scale(unit.imaginary, tile.south, tile.count);
      }
      fold(tile, folds_once(ring(unit.real).m_count, tile.n), spectrum(u, w));
    });
  }
  for (std::size_t u = block_->begin; u < block_->end; ++u) {
    const Unit& unit = transform_.units_[u];
    for (Index w = 0; w < w_count_; ++w) {
      T* north = map + first_pixel(unit.real, w_begin_ + w);
      T* south = unit.imaginary < 0 ? spare_.data() : map + first_pixel(unit.imaginary, w_begin_ + w);
      transform_.plans_->at(ring(unit.real).nphi).to_rows(spectrum(u, w), {south, north}, ffts_, transform_.streamed_);
    }
  }
}

// Prefetches the pixels that are transformed next. The same rings of another map are far away in memory, and hardware
// prefetchers do not cross page boundaries.
template <class T>
void RingTransform<T>::Workspace::fetch(const Unit& unit, Index w, const T* map) const {
  constexpr Index kLine = 64 / static_cast<Index>(sizeof(T));
  for (const Index slot : {unit.real, unit.imaginary}) {
    if (slot < 0) continue;
    const T* row = map + first_pixel(slot, w);
    for (Index i = 0; i < ring(slot).nphi; i += kLine) __builtin_prefetch(row + i, 0, 2);
  }
}

template <class T>
void RingTransform<T>::Workspace::adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta) {
  const RingTask& task = transform_.task_;
  const auto scale = [&](Index slot) {
    return static_cast<T>(factor.empty() || slot < 0 ? 1.0 : factor[static_cast<std::size_t>(slot)]);
  };
  for (std::size_t u = block_->begin; u < block_->end; ++u) {
    const Unit& unit = transform_.units_[u];
    for (Index w = 0; w < w_count_; ++w) {
      if (w + 1 < w_count_)
        fetch(unit, w_begin_ + w + 1, map);
      else if (u + 1 < block_->end)
        fetch(transform_.units_[u + 1], w_begin_, map);
      const T* north = map + first_pixel(unit.real, w_begin_ + w);
      const T* south = unit.imaginary < 0 ? zeros_.data() : map + first_pixel(unit.imaginary, w_begin_ + w);
      transform_.plans_->at(ring(unit.real).nphi).from_rows({north, south}, spectrum(u, w), ffts_);
    }
  }
  for (Index m = 0; m < block_->m_count; m += kTileM) {
    for_each_unit(m, [&](std::size_t u, Index w, const FoldTile<T>& tile) {
      const Unit& unit = transform_.units_[u];
      unfold(tile, spectrum(u, w), scale(unit.real), scale(unit.imaginary));
    });
    tile_.scatter(task.m_shift, m, std::min(kTileM, block_->m_count - m), transform_.delta_streamed_, delta);
  }
}

template class RingTransform<float>::Workspace;
template class RingTransform<double>::Workspace;

}  // namespace armilla::fft

#include <armilla/core/instantiate.hpp>
#include <armilla/points/torus_rows.hpp>

#include <algorithm>

namespace armilla::points {

using core::at;

template <class T>
TorusRows<T>::TorusRows(const dist::PixelDistribution& pixels, int rank, const nufft::Band& band,
                        std::span<const Index> spins)
    : rows_(static_cast<Index>(pixels.grid().rings().size())),
      columns_(pixels.grid().rings().front().nphi),
      band_(band),
      spins_(spins.begin(), spins.end()),
      place_(at(rows_), Index{-1}) {
  const std::vector<Index> rings = pixels.local_rings(rank), first = pixels.local_ring_pixels(rank);
  for (std::size_t i = 0; i < rings.size(); ++i) place_[at(rings[i])] = first[i];
  for (Index row = band.first_row; row < band.end_row(); ++row)
    mirrored_.push_back(source(row).mirrored ? mirrored_count_++ : -1);
  const auto fields = static_cast<Index>(spins_.size());
  past_poles_ = core::AlignedBuffer<T>(fields * mirrored_count_ * columns_);
  const std::size_t all = at(fields * band.rows);
  writable_.resize(all);
  readable_.resize(all);
  for (Index field = 0; field < fields; ++field) {
    to_.push_back(writable_.data() + field * band.rows);
    from_.push_back(readable_.data() + field * band.rows);
  }
}

template <class T>
Index TorusRows<T>::bytes(Index columns, const nufft::Band& band, Index fields) {
  // Upper bound of the number of rows beyond the poles.
  return fields * (2 * columns * static_cast<Index>(sizeof(T)) * 16 + 2 * band.rows * static_cast<Index>(sizeof(T*)));
}

template <class T>
typename TorusRows<T>::Source TorusRows<T>::source(Index row) const {
  if (row < 0) return {-1 - row, true};
  if (row >= rows_) return {2 * rows_ - 1 - row, true};
  return {row, false};
}

template <class T>
void TorusRows<T>::gather(const transform::RingHalo<T>& halo) {
  const auto fields = static_cast<Index>(spins_.size());
  for (Index field = 0; field < fields; ++field)
    for (Index r = 0; r < band_.rows; ++r) {
      const Source from = source(band_.first_row + r);
      const T* row = halo.ring(field, pair_of(from.row), is_north(from.row));
      const T*& entry = readable_[at(field * band_.rows + r)];
      entry = row;
      if (!from.mirrored) continue;
      T* past = past_poles_.data() + (field * mirrored_count_ + mirrored_[at(r)]) * columns_;
      std::rotate_copy(row, row + columns_ / 2, row + columns_, past);
      if (spins_[at(field)] % 2 != 0)
        for (Index i = 0; i < columns_; ++i) past[i] = -past[i];
      entry = past;
    }
}

template <class T>
void TorusRows<T>::prepare(transform::RingHalo<T>& halo, std::span<const std::span<T>> fields) {
  for (std::size_t field = 0; field < fields.size(); ++field)
    for (Index r = 0; r < band_.rows; ++r) {
      const Source to = source(band_.first_row + r);
      T*& entry = writable_[field * at(band_.rows) + at(r)];
      if (to.mirrored)
        entry = past_poles_.data() + (static_cast<Index>(field) * mirrored_count_ + mirrored_[at(r)]) * columns_;
      else if (place_[at(to.row)] >= 0)
        entry = fields[field].data() + place_[at(to.row)];
      else
        entry = halo.outgoing(static_cast<Index>(field), pair_of(to.row), is_north(to.row));
    }
}

template <class T>
void TorusRows<T>::fold() {
  const auto fields = static_cast<Index>(spins_.size());
  for (Index field = 0; field < fields; ++field)
    for (Index r = 0; r < band_.rows; ++r) {
      const Source to = source(band_.first_row + r);
      if (!to.mirrored) continue;
      const T* past = past_poles_.data() + (field * mirrored_count_ + mirrored_[at(r)]) * columns_;
      // The band also contains the mirrored row, because it extends equally far on the other side of the pole.
      T* row = writable_[at(field * band_.rows + to.row - band_.first_row)];
      const T sign = spins_[at(field)] % 2 != 0 ? T(-1) : T(1);
      for (Index i = 0; i < columns_; ++i) row[i] += sign * past[(i + columns_ / 2) % columns_];
    }
}

ARMILLA_INSTANTIATE_CLASS(TorusRows);

}  // namespace armilla::points

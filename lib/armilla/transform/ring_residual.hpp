#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/transform/part_plan.hpp>
#include <armilla/transform/ring_columns.hpp>

#include <complex>
#include <memory>
#include <span>
#include <vector>

namespace armilla::transform {

/// Which spectra of rings one part of a field needs, and where Delta of an m meets them: for the rings of one rank, by
/// slots, and `width` = components * maps numbers of each.
class RingSpectra {
 public:
  RingSpectra(const PartTables& tables, Index mmax, Index width);
  RingSpectra(const RingSpectra&) = delete;
  RingSpectra& operator=(const RingSpectra&) = delete;

  const RingColumns& columns() const { return columns_; }
  Index slots() const { return static_cast<Index>(rings_.size()); }
  /// Of complex numbers.
  Index size() const { return size_; }
  /// Where S_c of slot 0 would stand.
  Index shift(Index c) const { return shift_[static_cast<std::size_t>(c)]; }
  /// The first slot that feels m, all behind which do.
  Index first_slot(Index m) const { return first_slot_[static_cast<std::size_t>(m)]; }
  /// True where m is its own class on all rings that feel it.
  bool is_plain(Index m) const { return plain_[static_cast<std::size_t>(m)]; }
  /// Of maps of the part to their spectra. `map_stride`: numbers from map to map.
  fft::RingTask ring_task(const PartTables& tables, Index maps) const;
  /// How often |S_c|^2 counts in nphi times the sum of squares over the pixels: twice, for its conjugate too, or once.
  double multiplicity(Index c, Index slot) const {
    return math::RingAlias::is_own_mirror(c, aliases_.nphi(slot)) ? 1 : 2;
  }
  /// Of a slot.
  const fft::RingShape& ring(Index slot) const { return rings_[static_cast<std::size_t>(slot)]; }
  /// What turns a weight of a pixel of a ring into take_off_column's factor: its number of pixels.
  std::vector<double> factors(std::span<const double> weight) const;

  /// Bytes of the spectra, of numbers of type T.
  template <class T>
  static Index bytes(const PartTables& tables, Index mmax, Index width);

 private:
  std::vector<fft::RingShape> rings_;  ///< [slot] m_count: classes
  RingAliases aliases_;
  std::vector<Index> shift_;       ///< [c]
  std::vector<Index> first_slot_;  ///< [m]
  std::vector<bool> plain_;        ///< [m]
  Index size_ = 0;
  RingColumns columns_;
};

/// What an iteration has left of a batch of maps, as spectra of the rings of one rank times the weights of their
/// pixels, for one part of a field.
template <class T>
class RingResidual {
 public:
  using Complex = std::complex<T>;

  /// `tables` outlive it.
  RingResidual(const PartTables& tables, Index mmax, std::shared_ptr<fft::PlanCache<T>> plans);

  /// From the maps of the part; `weight` [sr] of each pixel of each own ring.
  void set(const T* map, std::span<const double> weight);
  /// Delta on the ring side, as the Legendre stage is to take it.
  void gather(Complex* delta) const;
  /// Takes maps with that Delta off.
  void take_off(const Complex* delta);
  /// Multiplies each map by a number of its own: by[map].
  void scale(std::span<const double> by);
  /// Of each map and own ring, sums[map * slots + slot]: the sum over its pixels of weight * map^2, as far as the m of
  /// the transform go; the same bits on any number of threads and ranks.
  void squares(std::span<double> sums) const;

  Index slots() const { return spectra_.slots(); }
  Index maps() const { return tables_.maps; }

  /// Bytes that it has, without plans.
  static Index bytes(const PartTables& tables, Index mmax);

 private:
  const PartTables& tables_;
  RingSpectra spectra_;
  fft::RingTransform<T> rings_;
  std::vector<double> factor_;
  core::AlignedBuffer<Complex> left_;
};

/// What the rings of a map make of its Delta, between a synthesis and its adjoint: m that a ring cannot tell apart
/// meet.
template <class T>
class RingNormal {
 public:
  using Complex = std::complex<T>;

  /// `tables` outlive it.
  RingNormal(const PartTables& tables, Index mmax);

  /// Delta on the ring side, in place: to sum over the pixels of a map with that Delta of map exp(-i m phi), times
  /// `weight` [sr] of a pixel of each own ring. On the threads of the rank; one call at a time. Throws
  /// std::bad_alloc where its memory does not fit.
  void apply(std::span<const double> weight, Complex* delta);

  /// Bytes that apply() keeps.
  static Index bytes(const PartTables& tables, Index mmax, Index width);

 private:
  const PartTables& tables_;
  RingSpectra spectra_;
  Index size_;
  std::vector<core::AlignedBuffer<Complex>> some_;  ///< [thread] of neighbouring slots
};

extern template class RingNormal<float>;
extern template class RingNormal<double>;
extern template class RingResidual<float>;
extern template class RingResidual<double>;

}  // namespace armilla::transform

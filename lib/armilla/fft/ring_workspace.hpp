#pragma once

#include <armilla/fft/delta_tile.hpp>
#include <armilla/fft/ring_transform.hpp>

#include <algorithm>

namespace armilla::fft {

/// The scratch arrays of one thread, and its operations on one block of rings.
template <class T>
class RingTransform<T>::Workspace {
 public:
  explicit Workspace(const RingTransform& owner);

  /// Selects the block and its columns (component, map).
  void set_block(const Block& block, Index w_begin, Index w_count);
  void synthesis(const std::complex<T>* delta, std::span<const double> factor, T* map);
  void adjoint(const T* map, std::span<const double> factor, std::complex<T>* delta);

 private:
  const RingShape& ring(Index slot) const { return transform_.task_.rings[static_cast<std::size_t>(slot)]; }
  /// Whether both rings of a unit begin at the same longitude; they then share phases.
  bool shares_phase(const Unit& unit) const {
    return unit.imaginary >= 0 && ring(unit.imaginary).phi0 == ring(unit.real).phi0;
  }
  std::complex<T>* spectrum(std::size_t unit, Index w);
  /// First pixel of a ring in the map.
  Index first_pixel(Index slot, Index w) const;
  /// Prefetches the pixels of a unit.
  void fetch(const Unit& unit, Index w, const T* map) const;
  /// Calls body(unit, w, tile) for the units of the block to which m >= first contribute.
  template <class Body>
  void for_each_unit(Index first, const Body& body);

  const RingTransform& transform_;
  RingFftWorkspace<T> ffts_;
  Index stride_;  ///< distance between the spectra of different units and w
  core::AlignedBuffer<std::complex<T>> spectra_;
  core::AlignedBuffer<T> zeros_;  ///< replaces a missing mirror ring on input
  core::AlignedBuffer<T> spare_;  ///< receives the pixels of a missing mirror ring on output
  DeltaTile<T> tile_;
  std::vector<RingPhase<T>> phases_;  ///< [unit][north, south]
  const Block* block_ = nullptr;
  Index w_begin_ = 0;
  Index w_count_ = 0;
};

}  // namespace armilla::fft

#pragma once

#include <armilla/iteration/ring_mode_layout.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <complex>
#include <memory>
#include <vector>

namespace armilla::iteration {

/// One spin field for some maps at once, on a rank that has all of their rings: tables between ring modes,
/// RingModeLayout, and coefficients, m by m. Threads share it, each with working memory of its own.
template <class T>
struct SpinFieldRings {
  using Complex = std::complex<T>;

  /// Fields, components times maps, that a thread takes at once: what the kernels have side by side, and few enough for
  /// the columns of an m to stay in the second-level cache.
  static constexpr Index kMaxFields = 32;

  SpinFieldRings(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps);
  SpinFieldRings(const SpinFieldRings&) = delete;
  SpinFieldRings& operator=(const SpinFieldRings&) = delete;

  /// Complex numbers of what an m has on all rings, and of its coefficients, [map][component][l].
  Index column_size() const { return modes.slots() * width; }
  Index coefficients_size() const { return width * (tables.lmax + 1); }

  /// Coefficients of what the rings have of m, the analysis of modes times weights; `column` is working memory.
  void analyse(Index m, const Complex* of_rings, Complex* column, legendre::EngineWorkspace& workspace,
               Complex* coefficients) const;
  /// Slots of pairs begin .. end - 1 that feel m: they stand pair by pair.
  SlotRange slots_of(Index m, Index begin, Index end) const;
  /// Has the modes of m fetched into the caches, of as many pairs as begin .. end - 1 behind these: their rows are all
  /// over memory.
  void fetch_next(Index m, Index begin, Index end, const Complex* of_rings) const;

  /// With what threads compute with, without plans of FFTs.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps);

  SpinTables tables;
  Index maps;
  Index width;  ///< components * maps
  RingModeLayout modes;
  std::vector<Index> pair_slot;                     ///< [pair] its first slot, and behind the last
  std::vector<Index> column_offset, column_blocks;  ///< [m]
  legendre::Task task;
  std::unique_ptr<legendre::Engine<T>> engine;
};

}  // namespace armilla::iteration

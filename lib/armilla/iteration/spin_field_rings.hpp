#pragma once

#include <armilla/iteration/ring_mode_layout.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/transform/field_transform.hpp>
#include <armilla/transform/spin_tables.hpp>

#include <complex>
#include <memory>
#include <vector>

namespace armilla::iteration {

/// One spin field for several maps at once, on a rank that holds all of their rings. Contains the tables between ring
/// modes, RingModeLayout, and coefficients, m by m. Threads share it; each has its own workspace.
template <class T>
struct SpinFieldRings {
  using Complex = std::complex<T>;

  /// Number of fields, components times maps, that a thread processes at once. The kernels store them next to each
  /// other; the limit keeps the columns of one m in the L2 cache.
  static constexpr Index kMaxFields = 32;

  SpinFieldRings(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps);
  SpinFieldRings(const SpinFieldRings&) = delete;
  SpinFieldRings& operator=(const SpinFieldRings&) = delete;

  /// Number of complex values of one m on all rings, and of its coefficients, [map][component][l].
  Index column_size() const { return modes.slots() * width; }
  Index coefficients_size() const { return width * (tables.lmax + 1); }

  /// Computes coefficients from the modes of m on the rings: the analysis of modes times weights. `column` is scratch.
  void analyse(Index m, const Complex* of_rings, Complex* column, legendre::EngineWorkspace& workspace,
               Complex* coefficients) const;
  /// Slots of pairs begin .. end - 1 to which m contributes; they are stored pair by pair.
  SlotRange slots_of(Index m, Index begin, Index end) const;
  /// Prefetches the modes of m for the pairs after begin .. end - 1, the same number of pairs. Their rows are scattered
  /// in memory.
  void fetch_next(Index m, Index begin, Index end, const Complex* of_rings) const;

  /// Memory including thread workspaces, without FFT plans.
  static core::MemoryEstimate memory(const FieldTransformSpec& spec, const SpinField& spin_field, Index maps);

  SpinTables tables;
  Index maps;
  Index width;  ///< components * maps
  RingModeLayout modes;
  std::vector<Index> pair_slot;                     ///< [pair] first slot of the pair; the last entry is the end
  std::vector<Index> column_offset, column_blocks;  ///< [m]
  legendre::Task task;
  std::unique_ptr<legendre::Engine<T>> engine;
};

}  // namespace armilla::iteration

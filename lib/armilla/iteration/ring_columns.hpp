#pragma once

#include <armilla/math/ring_aliases.hpp>

#include <complex>
#include <span>

namespace armilla::iteration {

using core::Index;
using math::RingAliases;

/// Ring slots begin .. end - 1.
struct SlotRange {
  Index begin, end;
};

/// Layout of ring modes and columns. S_c of ring slot s is at shift[c] + s * width. In a column of one m, slot s is at
/// s * width. Spans refer to tables that must outlive it.
struct RingColumns {
  Index width = 0;               ///< components * maps
  std::span<const Index> shift;  ///< [c]
  const RingAliases* aliases = nullptr;

  Index place(Index c, Index slot) const { return shift[static_cast<std::size_t>(c)] + slot * width; }
};

/// Computes the contribution of rings to m, the sum over j of map_j exp(-i m phi_j), from their modes into a column.
template <class T>
void gather_column(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* modes,
                   std::complex<T>* column);

/// Prefetches the values that gather_column() reads and subtract_column() changes.
template <class T>
void fetch_column(const RingColumns& rings, Index m, SlotRange slots, const std::complex<T>* modes);

/// Subtracts from ring modes those of a map whose Delta_m is `column`, times factor[slot]. The factor is the number of
/// pixels times the weight applied to the modes.
template <class T>
void subtract_column(const RingColumns& rings, Index m, SlotRange slots, std::span<const double> factor,
                     const std::complex<T>* column, std::complex<T>* modes);

}  // namespace armilla::iteration

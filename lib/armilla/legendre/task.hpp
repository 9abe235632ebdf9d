#pragma once

#include <armilla/core/types.hpp>

#include <span>

namespace armilla::legendre {

using core::Index;

/// The work of one rank's Legendre stage, as plain tables: its local m, all ring pairs of the grid, and the memory
/// layout of coefficients and Delta_m(ring). Spans refer to tables that must outlive the engine. Delta of the local m
/// with index k, ring slot s of block b, is at block_shift[k * blocks + b] + s * width, width = components * maps,
/// component before map.
struct Task {
  Index lmax = 0;
  Index spin = 0;
  Index components = 1;  ///< 1 for spin 0, else 2
  Index maps = 1;
  bool allow_tensor_cores = false;  ///< for products; they round differently

  std::span<const Index> m;           ///< local m, ascending
  std::span<const Index> alm_offset;  ///< [local m] coefficient (l, m) of a component is at offset + l
  Index component_stride = 0;         ///< coefficients from one component to the next
  Index map_stride = 0;               ///< coefficients from one map to the next

  std::span<const double> cos_theta;   ///< [pair] of the northern ring, ascending sin(theta)
  std::span<const double> sin_theta;   ///< [pair]
  std::span<const Index> first_pair;   ///< [local m] m does not contribute to pairs before this one
  std::span<const Index> block_shift;  ///< [local m][block]
  std::span<const int> pair_block;     ///< [pair]
  std::span<const Index> north_slot;   ///< [pair] or -1
  std::span<const Index> south_slot;   ///< [pair] or -1
  Index blocks = 1;
  bool delta_read_at_once = false;  ///< Delta of an m is read again while cached: no non-temporal stores

  /// Coefficients of the local m with index k of one component and map, indexed from degree 0; only [l], l = m .. lmax,
  /// exist.
  template <class Coefficient>
  Coefficient* coefficients(Coefficient* alm, Index k, Index component, Index map) const {
    return alm + map * map_stride + component * component_stride + alm_offset[static_cast<std::size_t>(k)];
  }

  Index width() const { return components * maps; }
  Index pairs() const { return static_cast<Index>(cos_theta.size()); }
  /// Start of Delta of the local m with index k of a pair, for its northern or southern slot.
  Index delta_position(Index k, Index pair, Index slot) const {
    const auto block = static_cast<Index>(pair_block[static_cast<std::size_t>(pair)]);
    return block_shift[static_cast<std::size_t>(k * blocks + block)] + slot * width();
  }
};

/// Maps of a batch that are transformed together.
struct MapRange {
  Index first, count;
};

}  // namespace armilla::legendre

#pragma once

#include <armilla/math/wigner.hpp>

#include <kernels/legendre/ring_places.hpp>

namespace armilla::kernels {

/// Powers base^n of one base per pair, as low[n % 32] * high[n / 32] * 2^(800 scale[n / 32]), high within 2^-400 .. 1
/// (legendre::PowerTable).
template <template <class> class Pointer>
struct PowerRowsOf {
  Pointer<const double> low = nullptr;   ///< [32][pair]
  Pointer<const double> high = nullptr;  ///< [n / 32][pair]
  Pointer<const int> scale = nullptr;    ///< [n / 32][pair] <= 0
};

/// Input of the Wigner recurrence of one spin >= 0: local m, and pairs pair_begin .. pair_end - 1 of a grid, from pole
/// to equator. Tables over pairs of the recurrence itself start at pair_begin.
template <template <class> class Pointer>
struct WignerTaskOf {
  Index lmax = 0;
  Index spin = 0;
  Index maps = 0;
  Index pair_begin = 0;
  Index pair_end = 0;
  Index component_stride = 0;  ///< coefficients from one component to the next
  Index map_stride = 0;        ///< coefficients from one map to the next
  RingPlacesOf<Pointer> rings;

  Pointer<const Index> m = nullptr;           ///< [local m]
  Pointer<const Index> alm_offset = nullptr;  ///< [local m] coefficient (l, m) of a component is at offset + l
  Pointer<const Index> first_pair = nullptr;  ///< [local m] m does not contribute to pairs before this one
  Pointer<const Index> partial_unit =
      nullptr;  ///< [local m] blocks of pairs times degrees of all preceding m (wigner_adjoint)

  Pointer<const double> norm = nullptr;     ///< [local m] amplitude of the function of lowest degree, without its sign,
  Pointer<const int> norm_scale = nullptr;  ///< [local m] times 2^(800 norm_scale)
  Pointer<const double> one_minus_cos = nullptr;  ///< [pair]
  PowerRowsOf<Pointer> cosine;                    ///< of cos(theta / 2)
  PowerRowsOf<Pointer> sine;                      ///< of sin(theta / 2)

  HOST_DEVICE Index components() const { return spin == 0 ? 1 : 2; }
  /// Start of the coefficients of the k-th local m, indexed from degree 0.
  HOST_DEVICE Index coefficients(Index k, Index component, Index map) const {
    return map * map_stride + component * component_stride + alm_offset[k];
  }
  HOST_DEVICE Index lowest(Index k) const { return math::lowest_degree(spin, m[k]); }
  /// Number of degrees of the k-th local m, lowest .. lmax.
  HOST_DEVICE Index degrees(Index k) const {
    const Index count = lmax + 1 - lowest(k);
    return count > 0 ? count : 0;
  }
  /// The first of these pairs to which the k-th local m contributes.
  HOST_DEVICE Index first(Index k) const { return first_pair[k] > pair_begin ? first_pair[k] : pair_begin; }
};
using WignerTask = WignerTaskOf<KernelPointer>;
using DeviceWignerTask = WignerTaskOf<DevicePointer>;

/// Threads per block, each with this number of adjacent pairs of rings.
inline constexpr int kWignerThreads = 64;
inline constexpr int kWignerPairs = 2;
inline constexpr Index kWignerBlockPairs = kWignerThreads * kWignerPairs;

/// Number of blocks for this number of pairs of one m.
HOST_DEVICE constexpr Index wigner_blocks(Index pairs) {
  return pairs > 0 ? (pairs + kWignerBlockPairs - 1) / kWignerBlockPairs : 0;
}

/// One launch: k_count local m starting at k_begin, and maps starting at first_map, in groups that share a recurrence.
template <template <class> class Pointer>
struct WignerCallOf {
  WignerTaskOf<Pointer> task;
  Index k_begin = 0;
  Index k_count = 0;
  Index first_map = 0;
  Index max_blocks = 0;  ///< of pairs, maximum over these m
  Index map_groups = 1;
  Index group_partials = 0;  ///< minimum size of the partial sums of a group (wigner_adjoint)
};
using WignerCall = WignerCallOf<KernelPointer>;
using DeviceWignerCall = WignerCallOf<DevicePointer>;

/// Calls shape.template operator()<whether there is a spin, maps>(), both as constants; maps is 1, 2 or 4.
template <class Shape>
void with_wigner_shape(Index spin, int maps, Shape&& shape) {
  const auto of_spin = [&]<bool kSpin>() {
    if (maps == 1)
      shape.template operator()<kSpin, 1>();
    else if (maps == 2)
      shape.template operator()<kSpin, 2>();
    else
      shape.template operator()<kSpin, 4>();
  };
  if (spin > 0)
    of_spin.template operator()<true>();
  else
    of_spin.template operator()<false>();
}

/// Number of maps in one launch if `rest` maps remain.
constexpr int wigner_maps(Index rest) { return rest >= 4 ? 4 : rest >= 2 ? 2 : 1; }

}  // namespace armilla::kernels

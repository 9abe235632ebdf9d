#pragma once

#include <cmath>
#include <utility>

#include <kernels/core/unrolled.hpp>
#include <kernels/nufft/nufft.hpp>

namespace armilla::kernels {

/// Weights j and W - 1 - j of a window whose polynomials have the argument z.
template <class T>
struct WeightPair {
  T first, last;
};

template <int W, class T>
HOST_DEVICE inline WeightPair<T> window_weights(const NufftWindow<T>& window, int j, T z) {
  constexpr int kTerms = nufft_terms(W);
  const int begin = 2 * kTerms * j;
  const T square = z * z;
  T even = window.coefficients[begin], odd = window.coefficients[begin + 1];
  unrolled<kTerms - 1>([&]<int term>() {
    even = std::fma(even, square, window.coefficients[begin + 2 * (term + 1)]);
    odd = std::fma(odd, square, window.coefficients[begin + 2 * (term + 1) + 1]);
  });
  return {std::fma(odd, z, even), std::fma(-odd, z, even)};
}

/// Number of pairs of weights of a window. For an odd width, the last pair is the same weight twice.
template <int W>
inline constexpr int kWeightPairs = (W + 1) / 2;

/// The bodies of kernels of all widths, for one or two fields, selected by index.
template <template <class, int, int> class Body, class T, int F, class Launch, int... offset>
void for_width(int width, const Launch& launch, std::integer_sequence<int, offset...>) {
  (void)((width == kNufftMinWidth + offset &&
          (launch.template operator()<Body<T, kNufftMinWidth + offset, F>>(), true)) ||
         ...);
}

/// Calls launch.operator()<Body<T, width, F>>(first field, groups) for pairs of fields, then for a remaining one.
template <template <class, int, int> class Body, class T, class Launch>
void for_field_groups(int width, Index fields, const Launch& launch) {
  constexpr auto kOffsets = std::make_integer_sequence<int, kNufftMaxWidth - kNufftMinWidth + 1>();
  const Index pairs = fields / 2;
  if (pairs > 0)
    for_width<Body, T, 2>(
        width, [&]<class Chosen>() { launch.template operator()<Chosen>(Index{0}, pairs); }, kOffsets);
  if (fields % 2 > 0)
    for_width<Body, T, 1>(
        width, [&]<class Chosen>() { launch.template operator()<Chosen>(2 * pairs, Index{1}); }, kOffsets);
}

}  // namespace armilla::kernels

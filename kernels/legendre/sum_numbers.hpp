#pragma once

#include <armilla/core/host_device.hpp>

#include <bit>
#include <cstdint>

#include <kernels/core/warp.hpp>

namespace armilla::kernels {

/// Coefficients of a field for one step.
template <class S>
struct alignas(16) StepCoefficients {
  S even_re, even_im, odd_re, odd_im;
};

/// Type in which products of the scalar recurrence are summed: double, or float over short blocks of degrees, whose
/// sums are then added in double. Recurrences are in double in both cases.
template <class S>
struct SumNumbers;

template <>
struct SumNumbers<double> {
  using Piece = Two;                 ///< of coefficients in memory
  static constexpr int kPieces = 2;  ///< of a step: {even re, even im}, {odd re, odd im}
  /// A value of a recurrence as a factor of products, and the factor by which it is reduced while all pairs of a warp
  /// contribute.
  static constexpr double kScale = 1;
  HOST_DEVICE static StepCoefficients<double> coefficients(const Two* at) {
    return {at[0].a, at[0].b, at[1].a, at[1].b};
  }
  HOST_DEVICE static double factor(double y) { return y; }
  HOST_DEVICE static double careful_factor(double y) { return y; }
};

template <>
struct SumNumbers<float> {
  using Piece = StepCoefficients<float>;
  static constexpr int kPieces = 1;
  /// 2^-896 converts exponents of double to those of float: 1023 - 127 = 896. Values below the smallest normal float
  /// behave like denormal numbers.
  static constexpr double kScale = 0x1p-896;
  HOST_DEVICE static Piece coefficients(const Piece* at) { return *at; }
  /// y / kScale for |y| < 2^128 kScale, truncated to 24 bits: a shift and an OR, because conversions from 64 bits run
  /// at a quarter of their rate.
  HOST_DEVICE static float factor(double y) {
    const auto bits = std::bit_cast<std::uint64_t>(y);
    const auto sign = static_cast<std::uint32_t>(bits >> 32) & 0x80000000u;
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits >> 29) | sign);
  }
  HOST_DEVICE static float careful_factor(double y) { return factor(y * kScale); }
};

}  // namespace armilla::kernels

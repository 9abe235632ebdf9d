#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>

#include <cmath>

namespace armilla::kernels {

// Sine, cosine and arc tangent from additions, products and quotients alone. All processors round these in the same
// way, so that angles are bitwise identical on host and device, which the functions of their libraries are not.

struct SineCosine {
  double sine, cosine;
};

/// Of an angle [rad]; absolute errors are below 2e-16 up to 1e6, and grow like the rounding of the angle beyond.
HOST_DEVICE inline SineCosine sine_cosine(double x) {
  if (std::abs(x) < 0.02) {  // most angles of lensed pixels
    const double s = x * x;
    return {x - x * s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040))),
            1 - s * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320))))};
  }
  // pi / 2 in three parts. Those of 32 bits times a number of quarter turns are exact.
  constexpr double kQuarter[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
  if (std::abs(x) > 1e6) x = std::fmod(x, 2 * core::kPi);
  const double quarters = std::floor(x * (2 / core::kPi) + 0.5);
  const double r = ((x - quarters * kQuarter[0]) - quarters * kQuarter[1]) - quarters * kQuarter[2];
  // Taylor series up to pi / 4.
  const double s = r * r;
  const double sine =
      r - r * s *
              (1.0 / 6 -
               s * (1.0 / 120 -
                    s * (1.0 / 5040 -
                         s * (1.0 / 362880 -
                              s * (1.0 / 39916800 - s * (1.0 / 6227020800 -
                                                         s * (1.0 / 1307674368000 - s * (1.0 / 355687428096000))))))));
  const double half = s / 2, rest = 1 - half;
  const double cosine =
      rest +
      (((1 - rest) - half) +
       s * s *
           (1.0 / 24 -
            s * (1.0 / 720 -
                 s * (1.0 / 40320 - s * (1.0 / 3628800 - s * (1.0 / 479001600 - s * (1.0 / 87178291200 -
                                                                                     s * (1.0 / 20922789888000))))))));
  const double quadrant = quarters - 4 * std::floor(quarters / 4);
  if (quadrant == 0) return {sine, cosine};
  if (quadrant == 1) return {cosine, -sine};
  if (quadrant == 2) return {-sine, -cosine};
  return {-cosine, sine};
}

/// The angle of the point (x, y), in [-pi, pi] [rad]; 0 for (0, 0). Errors are below 5e-16.
HOST_DEVICE inline double arc_tangent(double y, double x) {
  constexpr double kLowPi = 0x1.1a62633145c07p-53;  // pi minus kPi
  // Arc tangents of i / 8.
  constexpr double kNodes[] = {0,
                               0x1.fd5ba9aac2f6ep-4,
                               0x1.f5b75f92c80ddp-3,
                               0x1.6f61941e4def1p-2,
                               0x1.dac670561bb4fp-2,
                               0x1.1e00babdefeb4p-1,
                               0x1.4978fa3269ee1p-1,
                               0x1.700a7c5784634p-1,
                               0x1.921fb54442d18p-1};
  const double first = std::abs(x), second = std::abs(y);
  const double large = first > second ? first : second, small = first > second ? second : first;
  if (large == 0) return 0;
  const double node = std::floor(8 * (small / large) + 0.5);
  if (!(node >= 0)) return node;  // NaN
  const double u = (small - node / 8 * large) / (large + node / 8 * small), s = u * u;
  // Taylor series up to 1 / 16.
  double angle =
      kNodes[static_cast<int>(node)] +
      (u - u * s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s * (1.0 / 11 - s * (1.0 / 13)))))));
  if (second > first) angle = core::kPi / 2 - (angle - kLowPi / 2);
  if (x < 0) angle = core::kPi - (angle - kLowPi);
  return y < 0 ? -angle : angle;
}

}  // namespace armilla::kernels

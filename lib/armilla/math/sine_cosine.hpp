#pragma once

namespace armilla::math {

/// Sine and cosine of one angle.
struct SineCosine {
  long double sine;
  long double cosine;
};

/// Sine and cosine of 0 <= angle <= pi / 2, each with a relative error of about the rounding of long double. Unlike
/// std::sin and std::cos, it uses only operations that round identically on all processors.
SineCosine sine_cosine(long double angle);

}  // namespace armilla::math

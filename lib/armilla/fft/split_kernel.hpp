#pragma once

#include <armilla/fft/split_fft.hpp>

#include <span>

namespace armilla::fft {

/// Values of T in the vectors that run_passes uses on this machine.
template <class T>
Index split_lanes();
template <>
Index split_lanes<float>();
template <>
Index split_lanes<double>();

/// The passes of a SplitFft. `scratch` and `streamed` as for SplitFft::forward.
void run_passes(std::span<const SplitPass<float>> passes, const float* twiddles, Split<const float> in,
                Split<float> out, float* scratch, bool streamed);
void run_passes(std::span<const SplitPass<double>> passes, const double* twiddles, Split<const double> in,
                Split<double> out, double* scratch, bool streamed);

}  // namespace armilla::fft

#pragma once

#include <armilla/backend/devices.hpp>
#include <armilla/core/timer.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stage_case.hpp"

namespace armilla::perf {

/// Seconds per repetition: median and minimum of the samples.
struct Time {
  double median, least;
};

/// Whether the `cuda` backend is the emulated device here, whose times are meaningless.
inline bool device_is_emulated() {
  const auto devices = backend::visible_devices();
  return !devices.empty() && devices.front().name == "emulated";
}

/// Sampling of work on a device. Its clock increases under load for some tenths of a second, and a single short kernel
/// consists mostly of launch overhead. Therefore there is a warm-up, and each sample has as many repetitions as it
/// needs to reach a minimum duration.
struct Sampling {
  double warm_up = 0.3;  ///< minimum seconds of the same work before the first sample
  double fill = 0.05;    ///< minimum seconds of a sample
  int samples = 7;

  static Sampling on_device(int samples) {
    if (device_is_emulated()) return {.warm_up = 0, .fill = 0, .samples = 1};
    return {.samples = samples};
  }
};

/// Samples `run(count)`, which does the work `count` times and returns the seconds that it took.
template <class Run>
Time sample(const Sampling& sampling, Run&& run) {
  int count = 1;
  run(count);  // loads code and creates plans, which happens only once
  const double start = core::now_seconds();
  for (;;) {
    const double seconds = run(count);
    if (seconds >= sampling.fill && core::now_seconds() - start >= sampling.warm_up) break;
    if (seconds < sampling.fill)
      count = std::max(count + 1, static_cast<int>(std::ceil(1.1 * count * sampling.fill / std::max(seconds, 1e-6))));
  }
  std::vector<double> seconds;
  for (int i = 0; i < sampling.samples; ++i) seconds.push_back(run(count) / count);
  return {median(seconds), std::ranges::min(seconds)};
}

}  // namespace armilla::perf

#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>

#include "timing.hpp"
#include <kernels/core/device.hpp>
#include <kernels/core/stream.hpp>

namespace armilla::perf {

/// Times work that a call adds to a stream, with events.
template <class Call>
Time time_on_device(const kernels::Stream& stream, int samples, Call&& call) {
  kernels::TimedEvent start, end;
  return sample(Sampling::on_device(samples), [&](int count) {
    start.record(stream);
    for (int i = 0; i < count; ++i) call();
    end.record(stream);
    end.wait();
    return end.seconds_since(start);
  });
}

/// Bytes for each workspace of a stage, as in jobs.
inline core::Index work_of_jobs() { return std::min(kernels::device_memory().free / 8, core::Index{2} << 30); }

}  // namespace armilla::perf

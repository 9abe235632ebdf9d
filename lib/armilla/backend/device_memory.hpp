#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/task.hpp>

#include <span>

namespace armilla::backend {

/// Device memory of the stages of one spin field, without Delta, coefficients and the map; `quadrature`: with exact
/// quadrature in theta. `ring_lengths` as in Context::make_stages.
template <class T>
DeviceEstimate device_memory(const Options& options, const legendre::Task& legendre_task,
                             const fft::RingTask& ring_task, std::span<const Index> ring_lengths, bool quadrature);

}  // namespace armilla::backend

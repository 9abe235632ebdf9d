#pragma once

#include <armilla/backend/device_estimate.hpp>
#include <armilla/backend/options.hpp>
#include <armilla/fft/ring_transform.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/math/meridian_circle.hpp>

#include <span>

namespace armilla::backend {

/// Device memory of the stages of one spin field, without Delta, coefficients and the map; with exact quadrature in
/// theta if the circle has points. `ring_lengths` as in Context::make_stages.
template <class T>
DeviceEstimate device_memory(const Options& options, const legendre::Task& legendre_task,
                             const fft::RingTask& ring_task, std::span<const Index> ring_lengths,
                             const math::MeridianCircle& circle);

}  // namespace armilla::backend

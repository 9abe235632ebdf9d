#pragma once

#include <armilla/backend/placed_points.hpp>

#include <kernels/core/stream.hpp>

namespace armilla::backend {

/// Context::place_points() on the current device.
template <class T>
PlacedPoints<T> place_on_device(const kernels::NufftPlacement& placement, const double* theta, const double* phi,
                                Index count, const kernels::Stream& stream);

}  // namespace armilla::backend

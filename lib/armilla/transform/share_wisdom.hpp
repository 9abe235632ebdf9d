#pragma once

#include <armilla/comm/communicator.hpp>

#include <set>

namespace armilla::transform {

using core::Index;

/// Collective. Call before FFT plans of these lengths are made. One rank measures the plans, or reads earlier
/// measurements, and shares them with all ranks; identical plans give bitwise identical results. Instances: float,
/// double.
template <class T>
void share_wisdom(const comm::Communicator& comm, const std::set<Index>& lengths);

}  // namespace armilla::transform

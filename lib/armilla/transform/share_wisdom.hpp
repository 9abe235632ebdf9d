#pragma once

#include <armilla/comm/communicator.hpp>

#include <set>

namespace armilla::transform {

using core::Index;

/// Collective. Before FFT plans of these lengths are made: one rank measures them, or reads what was measured before,
/// for all, as plans that are chosen alike give equal bits. Instances: float, double.
template <class T>
void share_wisdom(const comm::Communicator& comm, const std::set<Index>& lengths);

}  // namespace armilla::transform

#pragma once

#include <armilla/ops/analysis_method.hpp>
#include <armilla/ops/solvers/fit_weights.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace armilla::ops {

/// Computes alm of a map, given the sum of map^2 of each system with the weights of a fit (FitWeights::squares).
template <class T>
using MapSolver =
    std::function<std::vector<AnalysisOutcome>(const transform::MapField<T>& map, const std::vector<double>& squares)>;

/// Collective. Runs `solve`, which computes `alm` of `map` and is linear in it. If the squares of a system are so small
/// or large that their sums underflow or overflow, it runs on a scaled copy of the map. The scale is a power of two for
/// each system (unit_scale), and alm is divided by it: results are bitwise identical except for exponents. The copy has
/// zeros in pixels of weight 0. Throws MapFaults if maps have values that are not finite.
template <class T>
std::vector<AnalysisOutcome> solve_scaled(const comm::Communicator& comm,
                                          const std::shared_ptr<backend::Memory>& memory, const FitWeights<T>& weights,
                                          const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                          const MapSolver<T>& solve);

}  // namespace armilla::ops

#pragma once

#include <armilla/bench/bench.hpp>
#include <armilla/cost/rates.hpp>

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::bench {

/// kStrong: one problem on any number of ranks. kWeak: lmax and grid grow with the cube root of the number of ranks, so
/// that the work of each rank in the Legendre stage is constant.
enum class Study { kStrong, kWeak };

const char* name_of(Study study);

/// The case of a study on this number of ranks; `one_rank` is the case on one rank. In a weak study, lmax and the
/// integer parameters of the grid are multiplied by the cube root of the ranks and rounded to even numbers. Throws
/// InputError for grids without integer parameters.
BenchCase case_of(const BenchCase& one_rank, Study study, int ranks);

/// Not collective; takes seconds for 16384 ranks. The computed quantities of a point, measured or not, for one
/// transform: {imbalance: {legendre, rings}, exchange: {total_bytes, largest_rank_bytes, largest_pair_bytes, partners},
/// legendre_fma, legendre_bytes, ring_work, memory_rate [B/s of a rank], predicted: {seconds, phases, calibrated,
/// rates}}.
nlohmann::json predicted_point(const BenchCase& parameters, const cost::Occupancy& occupancy, const cost::Rates& rates);

/// Collective. Runs a case of a study on the ranks of `comm` and returns its point, on the root: bench_json() with
/// `study`, `measured` = true, nodes, hosts, times over ranks, bytes, memory, versions, and predicted_point().
nlohmann::json measure_point(const comm::Communicator& comm, const BenchCase& one_rank, Study study,
                             const cost::Rates& rates, const std::optional<Index>& memory_limit);

/// Not collective. Predicted points for the given numbers of ranks: {study, measured: false, ...}.
nlohmann::json predict_points(const BenchCase& one_rank, Study study, const std::vector<int>& ranks, int ranks_per_node,
                              int threads, const cost::Rates& rates);

}  // namespace armilla::bench

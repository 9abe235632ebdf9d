#pragma once

#include <armilla/bench/bench.hpp>
#include <armilla/cost/rates.hpp>

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::bench {

/// kStrong: one problem on any number of ranks. kWeak: lmax and grid grow with the cube root of the number of ranks, so
/// that the Legendre stage of each rank stays the same.
enum class Study { kStrong, kWeak };

const char* name_of(Study study);

/// The case of a study on so many ranks; a case itself is that on one. In a weak study lmax and the whole parameters of
/// the grid are multiplied by the cube root of the ranks and rounded to even numbers. Throws InputError for grids
/// without whole parameters.
BenchCase case_of(const BenchCase& one_rank, Study study, int ranks);

/// What is computed of a point, measured or not: {imbalance: {legendre, rings}, exchange: {total_bytes,
/// largest_rank_bytes, largest_pair_bytes, partners}, legendre_fma, legendre_bytes, ring_work, memory_rate [B/s of a
/// rank], predicted: {seconds, phases, calibrated, rates}}, for one transform. Not collective; takes seconds for 16384
/// ranks.
nlohmann::json predicted_point(const BenchCase& parameters, const cost::Occupancy& occupancy, const cost::Rates& rates);

/// Collective. Runs a case of a study on the ranks of `comm` and returns its point, on the root: bench_json() with
/// `study`, `measured` = true, nodes, hosts, times over ranks, bytes, memory, versions, and predicted_point().
nlohmann::json measure_point(const comm::Communicator& comm, const BenchCase& one_rank, Study study,
                             const cost::Rates& rates, const std::optional<Index>& memory_limit);

/// Points that were not measured, of the given numbers of ranks: {study, measured: false, ...}. Not collective.
nlohmann::json predict_points(const BenchCase& one_rank, Study study, const std::vector<int>& ranks, int ranks_per_node,
                              int threads, const cost::Rates& rates);

}  // namespace armilla::bench

#pragma once

#include <armilla/backend/child_check.hpp>
#include <armilla/bench/bench_case.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field_transform.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::bench {

/// A time of each rank.
struct RankSeconds {
  double min = 0;
  double median = 0;
  double max = 0;
};

/// What a benchmark found; equal on all ranks. Times are the largest over the ranks.
struct BenchRecord {
  BenchCase parameters;
  backend::Kind backend = backend::Kind::kCpu;  ///< as asked for, or as kAuto decided
  bool resampled = false;                       ///< in theta: likewise
  int ranks = 1;
  int threads = 1;              ///< of each rank
  double plan_seconds = 0;      ///< grid, tables, FFT plans and workspace
  std::vector<double> seconds;  ///< of each round: one transform of all maps, fields in memory
  double legendre_seconds = 0;  ///< median over the rounds, as the next two
  double exchange_seconds = 0;
  double rings_seconds = 0;
  /// Each rank's own median over the rounds of "legendre", "exchange" and "rings", over the ranks; on the root only.
  RankSeconds legendre_ranks = {}, exchange_ranks = {}, rings_ranks = {};
  Index exchange_bytes = 0;  ///< sent to other ranks by all of them, in one transform
  Index peak_bytes = 0;      ///< the largest resident memory of a rank so far
  double fma = 0;            ///< of the Legendre stage on all ranks: transform::legendre_fma
  double fma_peak = 0;       ///< FMA of doubles per second, all cores of all ranks: median of measurements in between
  double fma_fraction = 0;   ///< (fma / legendre_seconds) / fma_peak
  double error = 0;          ///< relative rms difference to the reference engine: bench_error()
};

/// Collective. Replaces kAuto by the backend that it stands for, and has devices tried that are to be timed, once for
/// each backend and precision, by `method`. Throws ResourceError where one computes wrongly.
void choose_backends(const comm::Communicator& comm, std::vector<BenchCase>& cases,
                     const backend::CheckMethod& method = {});

/// Collective. Runs one benchmark: plans, transforms once untimed, then times the rounds.
/// Throws InputError for what the grid cannot do, ResourceError where memory does not suffice: what nodes have
/// available or, in its place, `memory_limit` bytes for all ranks of a node.
BenchRecord run_bench(const comm::Communicator& comm, const BenchCase& parameters,
                      const std::optional<core::Index>& memory_limit = {});

double median(std::vector<double> values);

/// The transform that a case times, over so many ranks. Not collective. Throws InputError for grids that do not exist.
transform::FieldTransformSpec spec_of(const BenchCase& parameters, int ranks);

/// The record with the names of the options as keys: {grid, lmax, ..., seconds, phases, fma, fma_fraction, error}.
nlohmann::json bench_json(const BenchRecord& record);

/// A table for the terminal, line by line.
std::string bench_table_head();
std::string bench_table_row(const BenchRecord& record);

}  // namespace armilla::bench

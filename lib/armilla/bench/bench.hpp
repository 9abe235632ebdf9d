#pragma once

#include <armilla/bench/bench_case.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field_transform.hpp>

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace armilla::bench {

/// Times over the ranks.
struct RankSeconds {
  double min = 0;
  double median = 0;
  double max = 0;
};

/// Result of a benchmark; equal on all ranks. Times are maxima over the ranks.
struct BenchRecord {
  BenchCase parameters;
  backend::Kind backend = backend::Kind::kCpu;  ///< as requested, or as chosen for kAuto
  bool resampled = false;                       ///< in theta: as requested, or as chosen
  int ranks = 1;
  int threads = 1;              ///< per rank
  double plan_seconds = 0;      ///< grid, tables, FFT plans and workspace
  std::vector<double> seconds;  ///< of each round: one transform of all maps, fields in memory
  double legendre_seconds = 0;  ///< median over the rounds, like the next two
  double exchange_seconds = 0;
  double rings_seconds = 0;
  /// Median over the rounds of "legendre", "exchange" and "rings" on each rank, over the ranks; root only.
  RankSeconds legendre_ranks = {}, exchange_ranks = {}, rings_ranks = {};
  Index exchange_bytes = 0;  ///< sent to other ranks by all ranks, in one transform
  Index peak_bytes = 0;      ///< largest peak resident memory of a rank so far
  double fma = 0;            ///< of the Legendre stage on all ranks: transform::legendre_fma
  double fma_peak = 0;       ///< double-precision FMA/s, all cores of all ranks: median of interleaved runs
  double fma_fraction = 0;   ///< (fma / legendre_seconds) / fma_peak
  double error = 0;          ///< relative rms difference to the reference engine: bench_error()
};

/// Collective. Replaces kAuto by the selected backend. Tests the devices to be timed, once for each backend and
/// precision. Throws ResourceError if a device computes wrongly.
void choose_backends(const comm::Communicator& comm, std::vector<BenchCase>& cases);

/// Collective. Runs one benchmark: makes plans, transforms once without timing, then times the rounds. Throws
/// InputError for parameters that the grid does not support. Throws ResourceError if memory is insufficient. The limit
/// is the available memory of the nodes, or `memory_limit` bytes for all ranks of a node if given.
BenchRecord run_bench(const comm::Communicator& comm, const BenchCase& parameters,
                      const std::optional<core::Index>& memory_limit = {});

double median(std::vector<double> values);

/// Not collective. The transform that a case times, over this number of ranks. Throws InputError for unknown grids.
transform::FieldTransformSpec spec_of(const BenchCase& parameters, int ranks);

/// The record with the option names as keys: {grid, lmax, ..., seconds, phases, fma, fma_fraction, error}.
nlohmann::json bench_json(const BenchRecord& record);

/// A table for the terminal, line by line.
std::string bench_table_head();
std::string bench_table_row(const BenchRecord& record);

}  // namespace armilla::bench

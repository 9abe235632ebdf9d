#pragma once

#include <armilla/backend/options.hpp>
#include <armilla/core/types.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <string>
#include <vector>

namespace armilla::bench {

using core::Index;

/// Operation of the benchmark: alm to map, map to alm with the quadrature weights of the grid, map to alm without them,
/// or alm to map with them.
enum class BenchDirection { kSynthesis, kAnalysis, kAdjoint, kAdjointAnalysis };

/// Whether its output is a map.
constexpr bool makes_maps(BenchDirection direction) {
  return direction == BenchDirection::kSynthesis || direction == BenchDirection::kAdjointAnalysis;
}

/// One benchmark: one transform of `maps` maps, timed `rounds` times.
struct BenchCase {
  std::string grid_text;  ///< as specified by the user: "gauss:4096"
  grid::GridDescription grid;
  Index lmax = 0;
  Index spin = 0;
  BenchDirection direction = BenchDirection::kSynthesis;
  Index maps = 1;
  core::Precision precision = core::Precision::kDouble;
  backend::Kind backend = backend::Kind::kAuto;
  std::string engine;
  backend::ThetaResampling theta_resampling = backend::ThetaResampling::kAuto;
  Index rounds = 7;
};

/// The requested parameters; all values of each list are run.
struct BenchSweep {
  std::vector<std::string> grids;
  std::vector<Index> lmax;  ///< if empty, the largest lmax supported by analysis on each grid
  std::vector<Index> spins{0};
  std::vector<std::string> directions{"synthesis"};
  std::vector<Index> maps{1};
  std::vector<std::string> precisions{"double"};
  std::vector<std::string> backends{"auto"};
  std::vector<std::string> engines{"auto"};
  std::vector<std::string> theta_resampling{"auto"};
  std::vector<Index> rounds{7};
};

/// All combinations of the lists; the last list varies fastest. Throws InputError, naming option, value and choices.
std::vector<BenchCase> bench_cases(const BenchSweep& sweep);

const char* name_of(BenchDirection direction);
const char* name_of(core::Precision precision);

}  // namespace armilla::bench

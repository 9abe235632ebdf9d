#pragma once

#include <armilla/backend/cuda/pair_stage.hpp>

#include <string>
#include <vector>

#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::perf {

/// What the Legendre stage of a measurement runs: the kernels of jobs, or others for comparison.
struct LegendreVariant {
  std::string name;
  const char* what;
  std::string choices;  ///< members of perf/tuning.json that give these kernels; empty if none do
  backend::Products products;
  kernels::ScalarKernels scalar;  ///< on CUDA cores
  backend::PairStageMakers makers = {};

  /// Whether it differs from jobs in this direction alone.
  bool is_of_synthesis() const;
  bool is_of_adjoint() const;
};

/// All variants of this build; the first one is that of jobs.
std::vector<LegendreVariant> legendre_variants();

/// The variants with these names, separated by commas. "A+B" is A with the kernels of B in the direction in which B
/// differs from jobs. Throws InputError for unknown names, and for a B that does not differ in one direction.
std::vector<LegendreVariant> find_variants(const std::string& names);

}  // namespace armilla::perf

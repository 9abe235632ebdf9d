#pragma once

#include <armilla/backend/scalar_stage_shape.hpp>

#include <vector>

#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::perf {

/// What the Legendre stage of a measurement runs: the kernels of jobs, or others for comparison.
struct LegendreVariant {
  const char* name;
  const char* what;
  backend::Products products;
  kernels::ScalarKernels scalar;  ///< on CUDA cores
};

/// All variants of this build; the first one is that of jobs.
std::vector<LegendreVariant> legendre_variants();

}  // namespace armilla::perf

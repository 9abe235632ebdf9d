#pragma once

#include "kernel_variants.hpp"

/// Include this in a file that defines launch_adjoint.
namespace armilla::perf {

struct AdjointOf32Steps : kernels::Production {
  static constexpr int kAdjointSteps = 32;
};

template <class Variant>
KernelVariant adjoint_variant(const char* name, const char* what) {
  return {name,
          what,
          choices_of<Variant>(false),
          {kernels::PairLimits::of<Variant>(), kernels::scalar_kernels().synthesis,
           &kernels::launch_scalar_adjoint<Variant>}};
}

inline std::vector<KernelVariant> all_adjoint_variants() {
  return {adjoint_variant<AdjointOf32Steps>("adjoint_32_steps", "adjoint in tiles of 32 steps")};
}

}  // namespace armilla::perf

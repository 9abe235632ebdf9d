#pragma once

#include "kernel_variants.hpp"

/// Include this in a file that defines launch_synthesis.
namespace armilla::perf {

struct SynthesisOfBlocks : kernels::Production {
  static constexpr kernels::Tiles kSynthesisTiles = kernels::Tiles::kOfBlock;
};

struct SynthesisOf64Steps : kernels::Production {
  static constexpr int kSynthesisSteps = 64;
};

template <class Variant>
KernelVariant synthesis_variant(const char* name, const char* what) {
  return {name,
          what,
          choices_of<Variant>(false),
          {kernels::PairLimits::of<Variant>(), &kernels::launch_scalar_synthesis<Variant>,
           kernels::scalar_kernels().adjoint}};
}

inline std::vector<KernelVariant> all_synthesis_variants() {
  return {
      synthesis_variant<SynthesisOfBlocks>("synthesis_blocks", "synthesis in blocks of four warps with common tiles"),
      synthesis_variant<SynthesisOf64Steps>("synthesis_64_steps", "synthesis in tiles of 64 steps")};
}

}  // namespace armilla::perf

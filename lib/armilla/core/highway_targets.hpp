#pragma once

/// To be included before any header of Highway, in every file that is compiled once per instruction set: all of them
/// must agree on which sets those are. SSSE3 and SSE4 gain nothing over the baseline where AVX2 is missing, nor does
/// AVX3_DL over AVX3; vectors whose length only the running machine knows (SVE, RISC-V) cannot be kept in arrays, as the
/// kernels do.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

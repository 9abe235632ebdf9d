#pragma once

/// Include before any Highway header, in every file that is compiled once per instruction set; all of them must use the
/// same sets. Without AVX2, SSSE3 and SSE4 are no faster than the baseline; neither is AVX3_DL compared with AVX3.
/// Vectors whose length is known only at run time (SVE, RISC-V) cannot be stored in arrays, which the kernels require.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

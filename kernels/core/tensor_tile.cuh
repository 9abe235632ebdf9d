#pragma once

#include <nv/target>

namespace armilla::kernels {

/// c += a b on FP64 tensor cores, for a warp: a is 16 by 4, b is 4 by 8. A lane passes a[0] = A[lane / 4] [lane % 4],
/// a[1] = A[lane / 4 + 8][lane % 4] and b = B[lane % 4][lane / 4]. c[0] and c[1] are C[lane / 4][2 (lane % 4)] and the
/// next value in the row, c[2] and c[3] those eight rows below (PTX ISA, mma with .f64). From compute capability 9.0 on
/// this is one instruction; the instructions for 8 rows are reported to run at half the rate there.
__device__ inline void tensor_tile(double* c, const double* a, double b) {
  // clang-format off
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
  ), (
    for (int half = 0; half < 2; ++half)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
          : "d"(a[half]), "d"(b));
  ))
  // clang-format on
}

}  // namespace armilla::kernels

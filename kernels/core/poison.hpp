#pragma once

namespace armilla::kernels {

/// Byte that emulated memory is filled with before it is written: doubles and floats of it are NaN, integers -1.
inline constexpr int kPoisonByte = 0xff;

}  // namespace armilla::kernels

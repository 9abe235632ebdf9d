#pragma once

namespace armilla::kernels {

/// Byte with which emulated memory is filled before it is written. Read as double or float it gives NaN, as integer -1.
inline constexpr int kPoisonByte = 0xff;

}  // namespace armilla::kernels

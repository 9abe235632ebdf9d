#pragma once

namespace armilla::kernels {

/// What a kernel does with the numbers that it finds in its output.
enum class Accumulate { kOverwrite, kAdd };

}  // namespace armilla::kernels

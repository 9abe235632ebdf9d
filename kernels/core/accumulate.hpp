#pragma once

namespace armilla::kernels {

/// Whether a kernel overwrites its output or adds to it.
enum class Accumulate { kOverwrite, kAdd };

}  // namespace armilla::kernels

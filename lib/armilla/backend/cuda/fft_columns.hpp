#pragma once

#include <armilla/backend/cuda/column_fft.hpp>

namespace armilla::backend {

/// Makers of cuFFT's plans with working space of their own; all share the library, which is loaded here. Throws
/// ResourceError where it cannot be.
MakeColumnFft make_fft_columns();

}  // namespace armilla::backend

#pragma once

namespace armilla::bench {

/// Double-precision fused multiply-adds per second of all threads of this process together, measured for about
/// `seconds`. The loop has only independent chains in the widest vectors of the processor.
double measure_fma_peak(double seconds);

}  // namespace armilla::bench

#pragma once

namespace armilla::bench {

/// Fused multiply-adds of doubles per second of all threads of this process together, measured for about `seconds`
/// with independent chains in the widest vectors that the processor has, and nothing else in the loop.
double measure_fma_peak(double seconds);

}  // namespace armilla::bench

#pragma once

#include "legendre_variants.hpp"

namespace armilla::perf {

/// Runs the Legendre stage of a variant on small grids, with spins 0 to 3, one and several maps, and both precisions.
/// Compares the results with the CPU, and those of two runs bit by bit. Prints a line for each case: both errors
/// relative to rms, and the hash of all results. Runs only the first `most` grids. Returns the number of cases that
/// fail.
int count_failures(const LegendreVariant& variant, int most);

}  // namespace armilla::perf

#pragma once

#include <armilla/cost/rates.hpp>

namespace armilla::cost {

/// Rates of one single-threaded rank on a node of one rank: typical of a core of 2020 to 2025 with AVX-512, and of a
/// network of 10 GB/s per node.
RateSet built_in_rates();

}  // namespace armilla::cost

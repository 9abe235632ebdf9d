#pragma once

#include <armilla/legendre/scalar_kernel.hpp>

namespace armilla::legendre {

/// One call of the scalar kernels for one m. Pairs begin .. middle - 1 of the grid are its low pairs, middle .. end - 1
/// the others. The task is complete except for its fields.
struct ScalarCall {
  ScalarKernelTask kernel;
  Index begin, middle, end;
};

/// Maps of a batch that are transformed together.
struct MapRange {
  Index first, count;
};

}  // namespace armilla::legendre

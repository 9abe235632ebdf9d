#pragma once

#include <armilla/job/operation.hpp>

namespace armilla::job::steps {

/// `regrid: {map, grid, lmax, method or tolerance, out}`: a map on another grid, by way of its coefficients: an
/// Analysis and a Synthesis.
struct Regrid {
  static OperationKind kind();
};

}  // namespace armilla::job::steps

#pragma once

#include "point_stage.hpp"

namespace armilla::perf {

/// Compares the sums at points of a variant with the CPU for some accuracies, fields and points, and both directions
/// with each other. Compares bit by bit two runs, fields of batches with single ones, and values with those without the
/// other points. Prints a line for each case, and returns the number of failures.
int count_failures(const PointVariant& variant);

}  // namespace armilla::perf

#pragma once

#include "point_stage.hpp"

namespace armilla::perf {

/// Compares the sums at points of a variant with the CPU for some accuracies, fields and points, two runs bit by bit,
/// fields of batches with single ones bit by bit, and both directions with each other. Prints a line for each case, and
/// returns the number of failures.
int count_failures(const PointVariant& variant);

}  // namespace armilla::perf

#pragma once

#include <armilla/transform/field_transform.hpp>

#include <vector>

#include "legendre_variants.hpp"
#include "stage_case.hpp"

namespace armilla::perf {

/// Times the Legendre stage of a transform in double precision with each variant, in the directions in which it differs
/// from jobs. The kernels of jobs are timed first, in the middle and last, so that drifts of the clock are visible.
/// Prints a line for each measurement as soon as it is known: variant, direction, median and minimum of milliseconds.
void compare_variants(const StageCase& which, const transform::FieldTransformSpec& spec,
                      const std::vector<LegendreVariant>& variants);

}  // namespace armilla::perf

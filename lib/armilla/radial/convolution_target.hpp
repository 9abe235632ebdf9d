#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/radial/row_plan.hpp>

#include <memory>
#include <vector>

namespace armilla::radial {

/// One result: the input convolved with a kernel, at the pixels of a grid.
struct ConvolutionTarget {
  ConvolutionSpec spec;
  std::shared_ptr<const dist::PixelDistribution> pixels;
};

/// The smallest range that contains both; an empty range is ignored.
RowPlan::PairRange hull(RowPlan::PairRange a, RowPlan::PairRange b);

/// The pairs of the input on which pairs `out` of the result depend.
RowPlan::PairRange needed_pairs(const RowPlan& plan, RowPlan::PairRange out);

/// The pairs of the input that each rank needs for its own pairs of all targets.
std::vector<RowPlan::PairRange> needed_pairs(const dist::PixelDistribution& in,
                                             const std::vector<ConvolutionTarget>& targets);

}  // namespace armilla::radial

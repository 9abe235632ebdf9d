#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/radial/convolution_target.hpp>

#include <memory>
#include <vector>

namespace armilla::cost {

/// Work of a convolution by rings of `fields` fields of `bytes_of_number` bytes a pixel: FMA of radial::RowPlan::count
/// (of 64 ranks spread over all where there are more), and the rings that ranks get from others, which are exact. Not
/// collective.
Work radial_work(const dist::PixelDistribution& in, const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                 Index bytes_of_number);

}  // namespace armilla::cost

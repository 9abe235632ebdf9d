#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/radial/convolution_target.hpp>

#include <memory>
#include <vector>

namespace armilla::cost {

/// Not collective. Work of a convolution by rings of `fields` fields of `bytes_of_number` bytes per pixel. It consists
/// of the FMA of radial::RowPlan::count, from a sample of 64 ranks if there are more, and of the rings received from
/// other ranks, which are exact.
Work radial_work(const dist::PixelDistribution& in, const std::vector<radial::ConvolutionTarget>& targets, Index fields,
                 Index bytes_of_number);

}  // namespace armilla::cost

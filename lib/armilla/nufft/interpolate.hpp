#pragma once

#include <armilla/nufft/point_plan.hpp>

#include <span>

namespace armilla::nufft {

/// Type 2, planar part: values[f][i] = sum over the window of point i of kernel weights times samples rows[f], for all
/// fields f at once. The samples of a field are those of the plan's band: rows[f][r] points to row first_row + r
/// (Band). The plan.size() values of a field are in the caller's point order and are overwritten. If the samples come
/// from coefficients multiplied by SpreadKernel::deconvolution in theta and phi, the values are those of the function.
///
/// Each value is summed in a fixed order: bitwise identical for any band that contains its window, and for any number
/// of threads and fields. A non-finite sample may affect the values of all points of its cells.
template <class T>
void interpolate(const PointPlan<T>& plan, std::span<const T* const* const> rows, std::span<T* const> values);

/// Memory of a call with this number of fields.
template <class T>
core::MemoryEstimate interpolation_memory(const PointPlan<T>& plan, Index fields);

}  // namespace armilla::nufft

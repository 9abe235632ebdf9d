#pragma once

#include <armilla/nufft/point_plan.hpp>

#include <span>

namespace armilla::nufft {

/// Type 2, the planar part: values[f][i] = sum over the window of point i of kernel weights times samples rows[f], for
/// all fields f at once. A field's samples are those of the plan's band: rows[f][r] points to row first_row + r (Band).
/// Its values stand in the caller's order of the points, plan.size() of them, and are overwritten. With samples of
/// coefficients that were multiplied by SpreadKernel::deconvolution in theta and phi, they are the values of the
/// function.
///
/// Each value is a sum of an order of its own: bitwise identical for any band that the point fits into, any number of
/// threads and of fields. A sample that is not finite may spoil the values of all points of its cells.
template <class T>
void interpolate(const PointPlan<T>& plan, std::span<const T* const* const> rows, std::span<T* const> values);

/// What a call with so many fields takes.
template <class T>
core::MemoryEstimate interpolation_memory(const PointPlan<T>& plan, Index fields);

}  // namespace armilla::nufft

#pragma once

#include <armilla/nufft/point_plan.hpp>

#include <span>

namespace armilla::nufft {

/// Type 1, planar part, the exact transpose of interpolate: samples rows[f] = sum over points i of values[f][i] times
/// the kernel weights of its window, for all fields f at once. rows[f][r] points to row first_row + r of the plan's
/// band (Band). All rows are overwritten, fine_length samples each; they must not overlap.
///
/// Bitwise identical for any number of threads and fields. A strip of kCellRows rows is summed separately, cell by
/// cell. A row is the sum of the contributions of its own strip and of the preceding one. The sum of bands over ranks
/// is therefore bitwise identical to that of one rank, if each rank has the points of whole strips.
template <class T>
void spread(const PointPlan<T>& plan, std::span<const T* const> values, std::span<T* const* const> rows);

/// Memory of a call with this number of fields: rows shared by strips, and sums for cells with several chunks.
template <class T>
core::MemoryEstimate spreading_memory(const PointPlan<T>& plan, Index fields);

}  // namespace armilla::nufft

#pragma once

#include <armilla/nufft/point_plan.hpp>

#include <span>

namespace armilla::nufft {

/// Type 1, the planar part and the exact transpose of interpolate: samples rows[f] = sum over points i of values[f][i]
/// times the kernel weights of its window, for all fields f at once. rows[f][r] points to row first_row + r of the
/// plan's band (Band). All rows are overwritten, fine_length samples of each; they must not overlap.
///
/// Bitwise identical on any number of threads and for any number of fields. A strip of kCellRows rows is summed by
/// itself, cell by cell, and a row is the sum of what its own strip and the one before give it. So the sum of bands
/// over ranks is bitwise identical to that of one rank, where the points of a rank are those of whole strips.
template <class T>
void spread(const PointPlan<T>& plan, std::span<const T* const> values, std::span<T* const* const> rows);

/// What a call with so many fields takes: rows that strips share, and sums of the chunks of cells with more than one.
template <class T>
core::MemoryEstimate spreading_memory(const PointPlan<T>& plan, Index fields);

}  // namespace armilla::nufft

#pragma once

#include <armilla/nufft/point_plan.hpp>

namespace armilla::nufft {

/// Points of one cell, `count` of them, and its buffers of samples: field f has the rows of the cell's windows at
/// samples
/// + f * stride, kCellPitch samples apart. Samples that are no part of the cell must be finite.
template <class T>
struct CellPoints {
  const KernelTable<T>* table;
  const PlacedPoint* points;
  Index count;
  const PlacedPoint* end;  ///< of the points of all cells; values of the next ones are prefetched
  Index stride;            ///< CellGrid::buffer_size()
  Index fields;
};

// Vectorised with run-time dispatch, one field after the other with the same weights.

/// values[f][number of point] = the sum over width x width samples of field f with the weights of both windows: over
/// rows first. What a point gets depends on its samples alone.
void interpolate_cell(const CellPoints<float>& cell, const float* samples, float* const* values);
void interpolate_cell(const CellPoints<double>& cell, const double* samples, double* const* values);

/// The transpose, added to the samples in the order of the points.
void spread_cell(const CellPoints<float>& cell, const float* const* values, float* samples);
void spread_cell(const CellPoints<double>& cell, const double* const* values, double* samples);

}  // namespace armilla::nufft

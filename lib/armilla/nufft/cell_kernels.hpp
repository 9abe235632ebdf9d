#pragma once

#include <armilla/nufft/point_plan.hpp>

namespace armilla::nufft {

/// `count` points of one cell, and its sample buffers. The buffer of field f begins at samples + f * stride; its rows
/// are kCellPitch samples apart. Samples that do not belong to the cell must be finite.
template <class T>
struct CellPoints {
  const KernelTable<T>* table;
  const PlacedPoint* points;
  Index count;
  const PlacedPoint* end;  ///< end of the points of all cells; values of later points are prefetched
  Index stride;            ///< CellGrid::buffer_size()
  Index fields;
};

// The functions below are vectorised, with run-time dispatch. Fields are processed one after the other with the same
// weights.

/// values[f][index of point] = the sum over width x width samples of field f, weighted by both windows, over rows
/// first. The value of a point depends only on its samples.
void interpolate_cell(const CellPoints<float>& cell, const float* samples, float* const* values);
void interpolate_cell(const CellPoints<double>& cell, const double* samples, double* const* values);

/// The transpose; contributions are added to the samples in point order.
void spread_cell(const CellPoints<float>& cell, const float* const* values, float* samples);
void spread_cell(const CellPoints<double>& cell, const double* const* values, double* samples);

}  // namespace armilla::nufft

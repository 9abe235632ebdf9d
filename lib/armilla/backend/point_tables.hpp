#pragma once

#include <armilla/core/types.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <kernels/nufft/nufft.hpp>

namespace armilla::backend {

using core::Index;

/// Input of a device for sums at points over windows of a fine grid (nufft::PointPlan, one or several bands of rows).
/// Some rows are stored in the fields themselves. Others are stored beside the fields: those of other ranks and those
/// beyond the poles.
template <class T>
struct PointTables {
  /// Cells whose windows overlap have different colours.
  static constexpr int kColours = 4;

  kernels::NufftWindow<T> window{kernels::kNufftMinWidth, {}};
  Index columns = 0;          ///< samples of a row; a multiple of two cells
  std::vector<Index> places;  ///< [row] NufftRowsOf::place
  std::vector<kernels::NufftMirror> mirrors;
  std::vector<int> odd;  ///< [field] whether its spin is odd
  Index field_size = 0;  ///< samples of a field, in the field and beside it
  Index beside_size = 0;
  Index values = 0;  ///< values of a field

  std::vector<kernels::NufftChunk> chunks;  ///< those of a cell are consecutive
  std::vector<int> cells;                   ///< [chunk] index of its cell
  std::vector<int> colours;                 ///< [chunk] colour of its cell
  Index points = 0;
  /// The points in device memory (Context::place_points); if null, they are on the host.
  std::shared_ptr<const kernels::NufftPoint<T>> placed = {};
  /// Fills points of the host starting at `first`.
  std::function<void(Index first, std::span<kernels::NufftPoint<T>> some)> fill_points;

  Index fields() const { return static_cast<Index>(odd.size()); }
};

}  // namespace armilla::backend

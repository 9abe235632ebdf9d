#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/points/point_transform.hpp>

namespace armilla::cost {

/// Numbers of passes of a transform at points.
struct PointPasses {
  double synthesis = 0;  ///< coefficients to values
  double adjoint = 0;    ///< values to coefficients
};

/// Not collective. Work of the construction of a transform at `points` points over `ranks` ranks, and of this number of
/// transforms of all maps. Points are assumed to be evenly distributed over ranks, and owned by other ranks than those
/// that hold them. The communication of values is therefore an estimate; that of Delta is exact. Instances: float,
/// double.
template <class T>
Work point_work(const points::PointTransformSpec& spec, Index points, int ranks, const PointPasses& passes);

}  // namespace armilla::cost

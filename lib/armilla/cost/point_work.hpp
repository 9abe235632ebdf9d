#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/points/point_transform.hpp>

namespace armilla::cost {

/// What is done with one transform at points.
struct PointPasses {
  double synthesis = 0;  ///< coefficients to values
  double adjoint = 0;    ///< values to coefficients
};

/// Work of the construction of a transform at `points` points over `ranks` ranks, and of so many transforms of all
/// maps. Points are taken as spread evenly over ranks, those of a rank as belonging to others (their values travel,
/// which is an estimate; Delta is exact). Not collective. Instances: float, double.
template <class T>
Work point_work(const points::PointTransformSpec& spec, Index points, int ranks, const PointPasses& passes);

}  // namespace armilla::cost

#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

/// A straight line: map = slope template + intercept.
struct LeakageFit {
  double slope = 0;
  double intercept = 0;
};

/// Collective. For each map of the batch, fits a straight line to its pixels as a function of those of its template.
/// The least-squares fit uses the pixels where the mask is not 0, with equal weights (Liu et al. 2019,
/// arXiv:1811.04691). `map` and `pattern` have one component and the same number of maps. The mask has one component,
/// and either one map or one for each map. If the template is constant, the slope is 0. Bitwise identical on any number
/// of ranks, in any batch. Throws InputError if a mask leaves no pixel, or if shapes do not match.
template <class T>
std::vector<LeakageFit> fit_leakage(const comm::Communicator& comm, const transform::MapField<T>& map,
                                    const transform::MapField<T>& pattern, const transform::MapField<T>& mask);

/// Not collective. map = map - slope template - intercept where the mask is not 0, and 0 elsewhere; in place, one fit
/// per map.
template <class T>
void remove_leakage(transform::MapField<T>& map, const transform::MapField<T>& pattern,
                    const transform::MapField<T>& mask, std::span<const LeakageFit> fits);

}  // namespace armilla::ops

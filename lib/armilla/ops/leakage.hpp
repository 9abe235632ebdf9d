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

/// Collective. For each map of the batch, the line through its pixels against those of its template, least squares over
/// the pixels where the mask is not 0, all of one weight (Liu et al. 2019, arXiv:1811.04691). `map` and
/// `pattern` have one component and as many maps; the mask one component, and one map for all or one for each. Where
/// the template is the same everywhere, the slope is 0. The same bit for bit on any number of ranks, in any batch.
/// Throws InputError if a mask leaves no pixel, or shapes do not match.
template <class T>
std::vector<LeakageFit> fit_leakage(const comm::Communicator& comm, const transform::MapField<T>& map,
                                    const transform::MapField<T>& pattern, const transform::MapField<T>& mask);

/// map = map - slope template - intercept where the mask is not 0, and 0 elsewhere; in place, one fit per map. Not
/// collective.
template <class T>
void remove_leakage(transform::MapField<T>& map, const transform::MapField<T>& pattern,
                    const transform::MapField<T>& mask, std::span<const LeakageFit> fits);

}  // namespace armilla::ops

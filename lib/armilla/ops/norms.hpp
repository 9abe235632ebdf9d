#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <vector>

namespace armilla::ops {

/// Collective. Root mean square of the difference of two alm fields of equal layout, over all (l, m) with m < 0 counted
/// too, per component, summed over maps; divided by the rms of `reference`, or absolute where that is zero.
template <class T>
std::vector<double> relative_error(const comm::Communicator& comm, const transform::AlmField<T>& value,
                                   const transform::AlmField<T>& reference);

extern template std::vector<double> relative_error<float>(const comm::Communicator&, const transform::AlmField<float>&,
                                                          const transform::AlmField<float>&);
extern template std::vector<double> relative_error<double>(const comm::Communicator&,
                                                           const transform::AlmField<double>&,
                                                           const transform::AlmField<double>&);

}  // namespace armilla::ops

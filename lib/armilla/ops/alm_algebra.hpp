#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// What follows is done where the coefficients of `alm` stand. On a device scale() and add() compute in the precision
/// of the field.

/// Multiplies by `factor`, in place. Not collective.
template <class T>
void scale(transform::AlmField<T>& alm, double factor);

/// alm = factor alm + other_factor other, in place, rounded once per number. Not collective. Throws InputError where
/// the two differ in kind, lmax, mmax or number of maps; one map is added to each of many.
template <class T>
void add(transform::AlmField<T>& alm, double factor, const transform::AlmField<T>& other, double other_factor);

/// Multiplies component c by windows[c][l], in place; degrees beyond the end of a window become zero. Not collective.
/// Throws InputError where there is not one window per component.
template <class T>
void multiply(transform::AlmField<T>& alm, std::span<const std::vector<double>> windows);

/// Collective. The coefficients of `from` that `to` has as well, zeros in the rest of `to`. m move between ranks where
/// the two differ in mmax. Throws InputError where they differ in kind or number of maps.
template <class T>
void resize(const comm::Communicator& comm, const transform::AlmField<T>& from, transform::AlmField<T>& to);

/// Bytes that resize() allocates on `rank` besides its arguments.
template <class T>
Index resize_bytes(const transform::FieldKind& kind, const dist::AlmDistribution& from, const dist::AlmDistribution& to,
                   int rank);

extern template void scale<float>(transform::AlmField<float>&, double);
extern template void scale<double>(transform::AlmField<double>&, double);
extern template void add<float>(transform::AlmField<float>&, double, const transform::AlmField<float>&, double);
extern template void add<double>(transform::AlmField<double>&, double, const transform::AlmField<double>&, double);
extern template void multiply<float>(transform::AlmField<float>&, std::span<const std::vector<double>>);
extern template void multiply<double>(transform::AlmField<double>&, std::span<const std::vector<double>>);
extern template void resize<float>(const comm::Communicator&, const transform::AlmField<float>&,
                                   transform::AlmField<float>&);
extern template void resize<double>(const comm::Communicator&, const transform::AlmField<double>&,
                                    transform::AlmField<double>&);
extern template Index resize_bytes<float>(const transform::FieldKind&, const dist::AlmDistribution&,
                                          const dist::AlmDistribution&, int);
extern template Index resize_bytes<double>(const transform::FieldKind&, const dist::AlmDistribution&,
                                           const dist::AlmDistribution&, int);

}  // namespace armilla::ops

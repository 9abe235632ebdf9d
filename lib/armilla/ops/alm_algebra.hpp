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

/// alm = factor alm + other_factor other, in place, rounded once per number. Not collective. Throws InputError if
/// the two differ in kind, lmax, mmax or number of maps; one map is added to each of many.
template <class T>
void add(transform::AlmField<T>& alm, double factor, const transform::AlmField<T>& other, double other_factor);

/// Multiplies component c by windows[c][l], in place; degrees beyond the end of a window become zero. Not collective.
/// Throws InputError if there is not one window per component.
template <class T>
void multiply(transform::AlmField<T>& alm, std::span<const std::vector<double>> windows);

/// Collective. The coefficients of `from` that `to` has as well, zeros in the rest of `to`. m move between ranks where
/// the two differ in mmax. Throws InputError if they differ in kind or number of maps.
template <class T>
void resize(const comm::Communicator& comm, const transform::AlmField<T>& from, transform::AlmField<T>& to);

/// Of resize() for one map on `rank`, besides its arguments.
template <class T>
core::MemoryEstimate resize_memory(const transform::FieldKind& kind, const dist::AlmDistribution& from,
                                   const dist::AlmDistribution& to, int rank);

}  // namespace armilla::ops

#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// These functions work in the memory that holds the coefficients of `alm`. On a device, scale() and add() compute in
/// the precision of the field.

/// Not collective. Multiplies component c by factors[c], in place.
template <class T>
void scale(transform::AlmField<T>& alm, std::span<const double> factors);

/// Not collective. alm = factors[c] alm + other_factors[c] other for each component c, in place, with a single rounding
/// per value. A single map is added to each map of a batch. Throws InputError if the two differ in kind, lmax, mmax or
/// number of maps.
template <class T>
void add(transform::AlmField<T>& alm, std::span<const double> factors, const transform::AlmField<T>& other,
         std::span<const double> other_factors);

/// Not collective. Multiplies component c by windows[c][l], in place; degrees beyond the end of a window become zero.
/// Throws InputError unless there is one window per component.
template <class T>
void multiply(transform::AlmField<T>& alm, std::span<const std::vector<double>> windows);

/// Collective. Copies the coefficients of `from` that `to` also has, and sets the rest of `to` to zero. Coefficients
/// move between ranks if the two differ in mmax. Throws InputError if they differ in kind or number of maps.
template <class T>
void resize(const comm::Communicator& comm, const transform::AlmField<T>& from, transform::AlmField<T>& to);

/// Memory of resize() for one map on `rank`, without its arguments.
template <class T>
core::MemoryEstimate resize_memory(const transform::FieldKind& kind, const dist::AlmDistribution& from,
                                   const dist::AlmDistribution& to, int rank);

}  // namespace armilla::ops

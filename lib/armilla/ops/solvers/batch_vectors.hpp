#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// The maps of a batch are independent problems, and so are their spin fields, which transforms do not mix. Each pair
/// [map][spin field of the kind] is a system; all systems are solved at once.
template <class Field>
std::size_t systems_of(const Field& field) {
  return static_cast<std::size_t>(field.maps()) * field.kind().spin_fields().size();
}

/// Sums per system from sums per component, [map][component].
std::vector<double> sums_of_systems(const transform::FieldKind& kind, std::span<const double> of_components);

/// Collective. For each system, the real inner product of two fields of coefficients: the sum of a conj(b) over l and m
/// of both signs, so m > 0 counts twice. It is computed in the memory that holds the fields. The result is bitwise
/// identical in host and device memory and on any number of ranks: coefficients of one m are summed in a fixed order,
/// and those sums are added reproducibly.
template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b);

/// Not collective. y = a[s] x + b[s] y for each system s; systems with a = 0 and b = 1 are not touched.
template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory);

}  // namespace armilla::ops

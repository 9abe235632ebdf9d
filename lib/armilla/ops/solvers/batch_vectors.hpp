#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// A batch of maps is as many independent problems, and so are the spin fields, whose transforms do not mix: what
/// is solved at once are systems, [map][spin field of the kind].
template <class Field>
std::size_t systems_of(const Field& field) {
  return static_cast<std::size_t>(field.maps()) * field.kind().spin_fields().size();
}

/// Sums of each system from those of its components, which are [map][component].
std::vector<double> sums_of_systems(const transform::FieldKind& kind, std::span<const double> of_components);

/// Collective. Of each system, the real inner product of two fields of coefficients: sum over l and m of both signs of
/// a conj(b), in which m > 0 counts twice. Computed where the fields are in memory; bitwise identical in any memory and
/// on any number of ranks: coefficients of an m are added up in one order, and those sums reproducibly.
template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b);

/// y = a[s] x + b[s] y for each system s; those with a = 0 and b = 1 are left alone. Not collective.
template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory);

}  // namespace armilla::ops

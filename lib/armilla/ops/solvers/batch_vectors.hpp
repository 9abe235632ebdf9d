#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// A batch of maps is as many independent problems, and so are the parts of a field, whose transforms do not mix: what
/// is solved at once are systems, [map][part of the kind].
template <class Field>
std::size_t systems_of(const Field& field) {
  return static_cast<std::size_t>(field.maps()) * field.kind().parts().size();
}

/// Sums of each system from those of its components, which are [map][component].
std::vector<double> sums_of_systems(const transform::FieldKind& kind, std::span<const double> of_components);

/// Collective. Of each system, the real inner product of two fields of coefficients: sum over l and m of both signs of
/// a conj(b), in which m > 0 counts twice. Made where the fields stand; the same bits there and on any number of ranks:
/// coefficients of an m are added up in one order, and those sums reproducibly.
template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b);

/// y = a[s] x + b[s] y for each system s; those with a = 0 and b = 1 are left alone. Not collective.
template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory);

extern template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<float>&,
                                                   const transform::AlmField<float>&);
extern template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<double>&,
                                                   const transform::AlmField<double>&);
extern template void combine_each(std::span<const double>, const transform::AlmField<float>&, std::span<const double>,
                                  transform::AlmField<float>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::AlmField<double>&, std::span<const double>,
                                  transform::AlmField<double>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::MapField<float>&, std::span<const double>,
                                  transform::MapField<float>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::MapField<double>&, std::span<const double>,
                                  transform::MapField<double>&, const std::shared_ptr<backend::Memory>&);

}  // namespace armilla::ops

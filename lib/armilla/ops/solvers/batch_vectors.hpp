#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/transform/field.hpp>

#include <span>
#include <vector>

namespace armilla::ops {

using core::Index;

/// Collective. Of each map of a batch, the real inner product of two fields of coefficients, all components together:
/// sum over l and m of both signs of a conj(b), in which m > 0 counts twice. The same bits on any number of ranks.
template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::AlmField<T>& a,
                                   const transform::AlmField<T>& b);

/// Collective. Of each map, the sum over pixels and components of a b; the same bits on any number of ranks.
template <class T>
std::vector<double> inner_products(const comm::Communicator& comm, const transform::MapField<T>& a,
                                   const transform::MapField<T>& b);

/// y = a[k] x + b[k] y for each map k; maps with a = 0 and b = 1 are left alone. Not collective.
template <class Field>
void combine_each(std::span<const double> a, const Field& x, std::span<const double> b, Field& y,
                  const std::shared_ptr<backend::Memory>& memory);

extern template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<float>&,
                                                   const transform::AlmField<float>&);
extern template std::vector<double> inner_products(const comm::Communicator&, const transform::AlmField<double>&,
                                                   const transform::AlmField<double>&);
extern template std::vector<double> inner_products(const comm::Communicator&, const transform::MapField<float>&,
                                                   const transform::MapField<float>&);
extern template std::vector<double> inner_products(const comm::Communicator&, const transform::MapField<double>&,
                                                   const transform::MapField<double>&);
extern template void combine_each(std::span<const double>, const transform::AlmField<float>&, std::span<const double>,
                                  transform::AlmField<float>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::AlmField<double>&, std::span<const double>,
                                  transform::AlmField<double>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::MapField<float>&, std::span<const double>,
                                  transform::MapField<float>&, const std::shared_ptr<backend::Memory>&);
extern template void combine_each(std::span<const double>, const transform::MapField<double>&, std::span<const double>,
                                  transform::MapField<double>&, const std::shared_ptr<backend::Memory>&);

}  // namespace armilla::ops

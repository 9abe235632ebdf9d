#include <armilla/comm/phase.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/solvers/normal_equations.hpp>

#include <algorithm>

namespace armilla::ops {

template <class T>
NormalEquations<T>::NormalEquations(transform::FieldTransform<T>& transform, const FitWeights<T>& weights)
    : transform_(transform), ring_normal_(transform.delta()), weights_(weights), scratch_(make_map()) {}

template <class T>
std::unique_ptr<transform::AlmField<T>> NormalEquations<T>::make_alm() const {
  std::unique_ptr<Alm> alm;
  comm::phase(comm(), [&] {
    const auto& spec = transform_.spec();
    alm = std::make_unique<Alm>(spec.kind, spec.alm, comm().rank(), spec.maps);
    std::ranges::fill(alm->data(), std::complex<T>{});
  });
  return alm;
}

template <class T>
std::unique_ptr<transform::MapField<T>> NormalEquations<T>::make_map() const {
  std::unique_ptr<Map> map;
  comm::phase(comm(), [&] {
    const auto& spec = transform_.spec();
    map = std::make_unique<Map>(spec.kind, spec.pixels, comm().rank(), spec.maps);
    std::ranges::fill(map->data(), T{});
  });
  return map;
}

template <class T>
void NormalEquations<T>::multiply(const Alm& a, Alm& b) {
  if (by_ring()) {
    ring_normal_.apply(a, weights_.rings(), b);
    return;
  }
  transform_.synthesis(a, *scratch_);
  adjoint(*scratch_, b);
}

template <class T>
void NormalEquations<T>::adjoint(const Map& map, Alm& b) {
  if (weights_.by_ring()) {
    transform_.quadrature(map, b, weights_.rings());
    return;
  }
  if (&map != scratch_.get()) comm::phase(comm(), [&] { transform::combine(T{1}, map, T{0}, *scratch_, memory()); });
  comm::phase(comm(), [&] { weights_.multiply(*scratch_, memory()); });
  transform_.adjoint_synthesis(*scratch_, b);
}

template <class T>
void NormalEquations<T>::subtract(const Map& map, const Alm& a, Map& left) {
  transform_.synthesis(a, left);
  comm::phase(comm(), [&] { transform::combine(T{1}, map, T{-1}, left, memory()); });
}

template <class T>
void NormalEquations<T>::precondition(const Alm& a, Alm& b) {
  if (weights_.any_spread() && by_ring()) {
    ring_normal_.apply(a, weights_.inverse_rings(), b);
  } else if (weights_.any_spread()) {
    transform_.synthesis(a, *scratch_);
    comm::phase(comm(), [&] { weights_.multiply_inverse(*scratch_, memory()); });
    transform_.adjoint_synthesis(*scratch_, b);
  }
  // For systems with nearly uniform weights, P = 1.
  std::vector<double> from(systems_of(a), 0.0);
  std::vector<double> keep(systems_of(a), 1.0);
  for (std::size_t s = 0; s < from.size(); ++s)
    if (!weights_.is_spread(s)) {
      from[s] = 1;
      keep[s] = 0;
    }
  comm::phase(comm(), [&] { combine_each<Alm>(from, a, keep, b, memory()); });
}

ARMILLA_INSTANTIATE_CLASS(NormalEquations);

}  // namespace armilla::ops

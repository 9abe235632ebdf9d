#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/iteration/make_iteration.hpp>
#include <armilla/transform/delta_transform.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <support/fields.hpp>

namespace armilla::test {

using core::Index;

struct IterationCase {
  std::string name;
  std::shared_ptr<const grid::RingGrid> grid;
  alm::AlmLayout layout;
};

inline std::shared_ptr<const grid::RingGrid> shared(grid::RingGrid grid) {
  return std::make_shared<grid::RingGrid>(std::move(grid));
}

/// With and without aliases; also far more of them than any use, few rings, and rings that begin anywhere.
inline std::vector<IterationCase> iteration_cases() {
  return {{"healpix 8", shared(grid::make_healpix(8)), {16, 16}},
          {"healpix 8, many aliases", shared(grid::make_healpix(8)), {23, 23}},
          {"healpix 6, more than pixels", shared(grid::make_healpix(6)), {40, 40}},
          {"healpix 16, mmax", shared(grid::make_healpix(16)), {47, 20}},
          {"healpix 2", shared(grid::make_healpix(2)), {5, 5}},
          {"gauss", shared(grid::make_gauss(12, 24)), {11, 11}},
          {"gauss, aliases, longitude", shared(grid::make_gauss(12, 9, 0.4)), {11, 11}}};
}

/// Noise: map `first` + k of a series at place k.
template <class T>
void draw(transform::MapField<T>& map, Index first = 0) {
  fill_map(map, [&](Index k, Index c, Index p) {
    return noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * (first + k) + c));
  });
}

/// A transform with maps of noise and room for their coefficients.
template <class T>
struct Iterated {
  Iterated(const comm::Communicator& comm, const transform::FieldTransformSpec& spec, Index first = 0)
      : transform(comm, spec),
        map(spec.kind, spec.pixels, comm.rank(), spec.maps),
        alm(spec.kind, spec.alm, comm.rank(), spec.maps) {
    draw(map, first);
    poison(alm);
  }

  /// [sr] of a pixel of each ring.
  std::vector<double> weights() const {
    std::vector<double> weight;
    for (const grid::Ring& ring : transform.spec().pixels->grid().rings())
      weight.push_back(ring.weight / static_cast<double>(ring.nphi));
    return weight;
  }
  /// The analysis with these weights.
  void analyse_once(const transform::MapField<T>& from, transform::AlmField<T>& to) {
    transform.quadrature(from, to, transform::own_weights(*transform.spec().pixels, from.rank(), weights()));
  }
  /// With the ring weights of the grid.
  std::unique_ptr<iteration::Iteration<T>> make(iteration::IterationSpec corrections) {
    corrections.ring_weights = true;
    iteration::AnalysisOperator<T> quadrature;
    quadrature.apply = [this](const transform::MapField<T>& from, transform::AlmField<T>& to, transform::MapField<T>*) {
      analyse_once(from, to);
    };
    quadrature.ring_weights = weights();
    return iteration::make_iteration(transform, corrections, quadrature);
  }
  void analyse(const iteration::IterationSpec& corrections) { make(corrections)->analyse(map, corrections.count, alm); }

  transform::FieldTransform<T> transform;
  transform::MapField<T> map;
  transform::AlmField<T> alm;
};

/// The coefficients of own m, bit for bit, of a map of a batch on these ranks, and of that map alone on one rank.
template <class T>
void expect_same_bits(const transform::AlmField<T>& all, Index map, const transform::AlmField<T>& one) {
  const auto own_m = all.distribution().local_m(all.rank());
  const auto offsets = all.distribution().local_offsets(all.rank());
  const auto whole = one.distribution().local_offsets(0);
  for (Index c = 0; c < all.kind().components(); ++c)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      for (Index l = own_m[k]; l <= all.distribution().layout().lmax(); ++l) {
        const auto a = all.component(map, c)[static_cast<std::size_t>(offsets[k] + l)];
        const auto b = one.component(0, c)[static_cast<std::size_t>(whole[static_cast<std::size_t>(own_m[k])] + l)];
        ASSERT_EQ(a, b) << "component " << c << ", l " << l << ", m " << own_m[k];
      }
}

}  // namespace armilla::test

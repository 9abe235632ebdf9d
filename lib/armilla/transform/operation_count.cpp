#include <armilla/dist/work.hpp>
#include <armilla/math/polar_cut.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace armilla::transform {

namespace {

/// For spins up to this, combinations of scalar functions have the lowest cost.
constexpr Index kLargestBandedSpin = 3;

// FMA of one m on one ring pair, starting at `first_degree`.
double step_cost(Index lmax, Index first_degree, Index spin, Index maps) {
  const auto k = static_cast<double>(maps);
  if (spin > kLargestBandedSpin) {
    const Index degrees = std::max<Index>(lmax - std::max(first_degree, spin) + 1, 0);
    return static_cast<double>(degrees) * (4 + 8 * k);
  }
  const Index degree_pairs = (lmax + spin - first_degree + 2) / 2;
  return static_cast<double>(degree_pairs) * (2 + (spin == 0 ? 4 : 8) * k);
}

// FMA of one m on all ring pairs to which it contributes. sin(theta) increases from pair to pair, so the first degree
// decreases.
double count_m(std::span<const grid::RingPair> pairs, Index lmax, Index m, Index first_pair, Index spin, Index maps,
               Index order_margin) {
  double sum = 0;
  Index first_degree = lmax;
  for (const grid::RingPair& pair : pairs.subspan(static_cast<std::size_t>(first_pair))) {
    while (first_degree > m &&
           math::polar_cut(first_degree - 1, spin, pair.cos_theta, pair.sin_theta, order_margin) >= m)
      --first_degree;
    sum += step_cost(lmax, first_degree, spin, maps);
  }
  return sum;
}

// Equidistant from pole to pole, in order of increasing sin(theta).
std::vector<grid::RingPair> equidistant_pairs(Index count) {
  std::vector<grid::RingPair> pairs;
  for (Index p = 0; p < count; ++p) {
    const double theta = core::kPi / 2 * (static_cast<double>(p) + 0.5) / static_cast<double>(count);
    pairs.push_back({p, 2 * count - 1 - p, std::cos(theta), std::sin(theta)});
  }
  return pairs;
}

// [index among the multiples of m_step] The first of `pairs` to which m contributes.
std::vector<Index> first_of(const FieldTransformSpec& spec, Index spin, std::span<const grid::RingPair> pairs) {
  const Index margin = spec.pixels->grid().order_margin();
  std::vector<Index> first;
  Index pair = 0;
  for (Index m = 0; m <= spec.alm->layout().mmax(); m += spec.alm->m_step()) {
    while (pair < static_cast<Index>(pairs.size()) &&
           math::polar_cut(spec.alm->layout().lmax(), spin, pairs[core::at(pair)].cos_theta,
                           pairs[core::at(pair)].sin_theta, margin) < m)
      ++pair;
    first.push_back(pair);
  }
  return first;
}

// [i] FMA of orders[i].
std::vector<double> count_orders(const FieldTransformSpec& spec, Index spin, CountedRings rings,
                                 std::span<const Index> orders) {
  std::vector<grid::RingPair> source;
  if (rings == CountedRings::kSource) source = equidistant_pairs(spec.legendre_pairs());
  const grid::RingGrid& grid = spec.pixels->grid();
  const std::span<const grid::RingPair> pairs = rings == CountedRings::kSource ? source : grid.pairs();
  const std::vector<Index> first =
      rings == CountedRings::kSource ? first_of(spec, spin, pairs) : dist::first_pairs(*spec.alm, grid, spin);
  std::vector<double> count(orders.size());
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t i = 0; i < orders.size(); ++i)
    count[i] = count_m(pairs, spec.alm->layout().lmax(), orders[i], first[core::at(orders[i] / spec.alm->m_step())],
                       spin, spec.maps, grid.order_margin());
  return count;
}

}  // namespace

std::vector<double> legendre_fma_by_m(const FieldTransformSpec& spec, const SpinField& spin_field, CountedRings rings) {
  std::vector<Index> orders;
  for (Index m = 0; m <= spec.alm->layout().mmax(); m += spec.alm->m_step()) orders.push_back(m);
  return count_orders(spec, spin_field.spin, rings, orders);
}

double legendre_fma(const FieldTransformSpec& spec, int rank) {
  const std::vector<Index> own_m = spec.alm->local_m(rank);
  double sum = 0;
  // The counts are integers far below 2^53, so the sum does not depend on the order.
  for (const SpinField& spin_field : spec.kind.spin_fields())
    for (const double count : count_orders(spec, spin_field.spin, CountedRings::kGrid, own_m)) sum += count;
  return sum;
}

}  // namespace armilla::transform

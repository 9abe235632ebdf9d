#include <armilla/dist/work.hpp>
#include <armilla/math/polar_cut.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <omp.h>

namespace armilla::transform {

namespace {

/// For spins up to this, combinations of scalar functions have the lowest cost.
constexpr Index kLargestBandedSpin = 3;

/// With more ring pairs, the middle one of each of this many blocks counts for all of its block. The error of a count
/// is below 1e-4 (OperationCount.BlocksOfRingsStandForAll).
constexpr Index kCountedPairs = 512;

// Steps of the recurrence of one m on one ring pair, starting at `first_degree`.
Index steps(Index lmax, Index first_degree, Index spin) {
  if (spin > kLargestBandedSpin) return std::max<Index>(lmax - std::max(first_degree, spin) + 1, 0);
  return (lmax + spin - first_degree + 2) / 2;
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

// [pair]
std::vector<Index> cuts_of(std::span<const grid::RingPair> pairs, Index lmax, Index spin, Index margin) {
  std::vector<Index> cuts;
  for (const grid::RingPair& pair : pairs)
    cuts.push_back(math::polar_cut(lmax, spin, pair.cos_theta, pair.sin_theta, margin));
  return cuts;
}

// [i] Steps of orders[i], ascending, on all ring pairs to which it contributes.
std::vector<double> count_orders(const FieldTransformSpec& spec, Index spin, CountedRings rings,
                                 std::span<const Index> orders) {
  std::vector<grid::RingPair> source;
  if (rings == CountedRings::kSource) source = equidistant_pairs(spec.legendre_pairs());
  const grid::RingGrid& grid = spec.pixels->grid();
  const std::span<const grid::RingPair> pairs = rings == CountedRings::kSource ? source : grid.pairs();
  const Index lmax = spec.alm->layout().lmax();
  const std::vector<Index> first = rings == CountedRings::kSource
                                       ? dist::first_pairs(cuts_of(pairs, lmax, spin, grid.order_margin()),
                                                           spec.alm->layout().mmax(), spec.alm->m_step())
                                       : dist::first_pairs(*spec.alm, grid, spin);
  const Index count = static_cast<Index>(pairs.size());
  const Index block = (count + kCountedPairs - 1) / kCountedPairs;
  std::vector<std::vector<double>> sums(static_cast<std::size_t>(omp_get_max_threads()),
                                        std::vector<double>(orders.size(), 0.0));
  // The counts are integers far below 2^53, so sums do not depend on their order.
#pragma omp parallel
  {
    std::vector<double>& own = sums[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 8) nowait
    for (Index begin = 0; begin < count; begin += block) {
      const Index end = std::min(begin + block, count);
      const grid::RingPair& pair = pairs[core::at((begin + end - 1) / 2)];
      const math::FirstDegrees degrees(spin, pair.cos_theta, pair.sin_theta, grid.order_margin());
      Index degree = 0;
      for (std::size_t i = 0; i < orders.size(); ++i) {
        const Index from = std::max(begin, first[core::at(orders[i] / spec.alm->m_step())]);
        if (from >= end) break;  // first pairs increase with m
        degree = degrees.at(orders[i], degree, lmax);
        own[i] += static_cast<double>((end - from) * steps(lmax, degree, spin));
      }
    }
  }
  for (const std::vector<double>& other : std::span(sums).subspan(1))
    std::ranges::transform(sums.front(), other, sums.front().begin(), std::plus());
  return std::move(sums.front());
}

}  // namespace

double fma_of_step(Index spin, Index maps) {
  const auto k = static_cast<double>(maps);
  return spin > kLargestBandedSpin ? 4 + 8 * k : 2 + (spin == 0 ? 4 : 8) * k;
}

std::vector<double> legendre_steps_by_m(const FieldTransformSpec& spec, const SpinField& spin_field,
                                        CountedRings rings) {
  std::vector<Index> orders;
  for (Index m = 0; m <= spec.alm->layout().mmax(); m += spec.alm->m_step()) orders.push_back(m);
  return count_orders(spec, spin_field.spin, rings, orders);
}

double legendre_fma(const FieldTransformSpec& spec, int rank) {
  const std::vector<Index> own_m = spec.alm->local_m(rank);
  double sum = 0;
  for (const SpinField& spin_field : spec.kind.spin_fields())
    for (const double count : count_orders(spec, spin_field.spin, CountedRings::kGrid, own_m))
      sum += count * fma_of_step(spin_field.spin, spec.maps);
  return sum;
}

}  // namespace armilla::transform

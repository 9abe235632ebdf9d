#include <armilla/dist/exchange_plan.hpp>
#include <armilla/transform/operation_count.hpp>

#include <algorithm>

namespace armilla::transform {

namespace {

/// Up to here a spin costs least as a combination of scalar functions.
constexpr Index kLargestBandedSpin = 3;

// FMA of one m on one ring pair, from `first_degree` on.
double step_cost(Index lmax, Index first_degree, Index spin, Index maps) {
  const auto k = static_cast<double>(maps);
  if (spin > kLargestBandedSpin) {
    const Index degrees = std::max<Index>(lmax - std::max(first_degree, spin) + 1, 0);
    return static_cast<double>(degrees) * (4 + 8 * k);
  }
  const Index degree_pairs = (lmax + spin - first_degree + 2) / 2;
  return static_cast<double>(degree_pairs) * (2 + (spin == 0 ? 4 : 8) * k);
}

// FMA of one m on all ring pairs that feel it. From one pair to the next sin(theta) grows, so the first degree falls.
double count_m(const grid::RingGrid& grid, Index lmax, Index m, Index first_pair, Index spin, Index maps) {
  double sum = 0;
  Index first_degree = lmax;
  for (const grid::RingPair& pair : grid.pairs().subspan(static_cast<std::size_t>(first_pair))) {
    while (first_degree > m && dist::polar_cut(first_degree - 1, spin, pair.cos_theta, pair.sin_theta) >= m)
      --first_degree;
    sum += step_cost(lmax, first_degree, spin, maps);
  }
  return sum;
}

}  // namespace

double legendre_fma(const FieldTransformSpec& spec, int rank) {
  const Index lmax = spec.alm->layout().lmax();
  const std::vector<Index> own_m = spec.alm->local_m(rank);
  double sum = 0;
  for (const SpinField& spin_field : spec.kind.spin_fields()) {
    const dist::ExchangePlan plan(*spec.alm, *spec.pixels, spin_field.spin, spin_field.components * spec.maps, rank);
    // Whole numbers far below 2^53: any order gives the same sum.
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : sum)
    for (std::size_t k = 0; k < own_m.size(); ++k)
      sum += count_m(spec.pixels->grid(), lmax, own_m[k], plan.first_pair[k], spin_field.spin, spec.maps);
  }
  return sum;
}

}  // namespace armilla::transform

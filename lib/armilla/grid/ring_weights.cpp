#include <armilla/core/error.hpp>
#include <armilla/grid/healpix.hpp>
#include <armilla/grid/ring_weights.hpp>
#include <armilla/math/even_cosines.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace armilla::grid {

namespace {

using Wide = long double;

template <class Real>
Real dot(std::span<const Real> a, std::span<const Real> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), Real(0));
}

// Solves A A^T x = right by conjugate gradients, to 13 digits of the residual or until it stagnates.
std::vector<double> solve(const math::EvenCosines<double>& a, std::vector<double> right) {
  const auto rows = right.size();
  std::vector<double> x(rows, 0.0), direction = right, image(rows);
  std::vector<double> on_rings(static_cast<std::size_t>(a.columns()));
  double size = dot<double>(right, right);
  const double enough = 1e-26 * size;
  for (int iteration = 0; iteration < 200 && size > enough; ++iteration) {
    a.apply_transposed(direction, on_rings);
    a.apply(on_rings, image);
    const double step = size / dot<double>(on_rings, on_rings);
    for (std::size_t i = 0; i < rows; ++i) {
      x[i] += step * direction[i];
      right[i] -= step * image[i];
    }
    const double next = dot<double>(right, right);
    for (std::size_t i = 0; i < rows; ++i) direction[i] = right[i] + next / size * direction[i];
    size = next;
  }
  return x;
}

}  // namespace

Index ring_weights_limit(Index nside) { return std::min(4 * nside - 2, 18 * nside / 5); }

Index ring_weights_degree(Index nside) { return std::min(25 * nside / 8, ring_weights_limit(nside)); }

std::vector<double> healpix_ring_weights(Index nside, Index degree) {
  check_nside(nside);
  if (degree < 0 || degree > ring_weights_limit(nside))
    throw core::InputError(
        fmt::format("ring weights of nside {} cannot be exact up to degree {}: use a degree from 0 to {}", nside,
                    degree, ring_weights_limit(nside)));
  // Colatitudes and total weights of ring pairs; the total weights add up to 1.
  std::vector<Wide> theta, total;
  const auto n = static_cast<Wide>(nside);
  for (Index number = 1; number <= 2 * nside; ++number) {
    const auto i = static_cast<Wide>(number);
    const Index pixels = 4 * std::min(number, nside);
    theta.push_back(number < nside ? 2 * std::asin(i / (n * std::sqrt(Wide(6))))
                                   : std::acos((4 * n - 2 * i) / (3 * n)));
    total.push_back(static_cast<Wide>(number < 2 * nside ? 2 * pixels : pixels) / (12 * n * n));
  }
  // Solves A (total + t) = means of cos(2 k theta) over the sphere; the t of least norm is A^T y.
  const math::EvenCosines<double> rough(theta, degree / 2 + 1);
  const math::EvenCosines<Wide> exact(theta, degree / 2 + 1);
  const auto rows = static_cast<std::size_t>(exact.rows());
  std::vector<Wide> t(theta.size(), 0), now(total), sums(rows);
  std::vector<double> residual(rows), correction(theta.size());
  const auto find_residual = [&] {
    exact.apply(now, sums);
    for (std::size_t k = 0; k < rows; ++k)
      residual[k] = static_cast<double>(1 / (1 - 4 * static_cast<Wide>(k) * static_cast<Wide>(k)) - sums[k]);
  };
  find_residual();
  // The smallest totals are 1e-6 of the largest and need full accuracy, so residuals are computed in long double.
  for (int refinement = 0; refinement < 2; ++refinement) {
    rough.apply_transposed(solve(rough, residual), correction);
    for (std::size_t i = 0; i < t.size(); ++i) {
      t[i] += correction[i];
      now[i] = total[i] + t[i];
    }
    find_residual();
  }
  if (!(std::sqrt(dot<double>(residual, residual)) < 1e-15))
    throw core::InternalError(
        fmt::format("ring weights of nside {} up to degree {} could not be computed", nside, degree));
  std::vector<double> weights;
  for (std::size_t i = 0; i < t.size(); ++i) weights.push_back(static_cast<double>(t[i] / total[i]));
  return weights;
}

}  // namespace armilla::grid

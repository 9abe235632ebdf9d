#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/ring_weights.hpp>
#include <armilla/math/zonal.hpp>

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

// x with A A^T x = right by conjugate gradients, to 13 digits of the residual or as far as it gets.
std::vector<double> solve(const math::EvenZonal<double>& a, std::vector<double> right) {
  const auto rows = right.size();
  std::vector<double> x(rows, 0.0), direction = right, image(rows);
  std::vector<double> on_rings(static_cast<std::size_t>(a.columns()));
  double size = dot<double>(right, right);
  const double enough = 1e-26 * size;
  for (std::size_t iteration = 0; iteration < 10 * rows + 100 && size > enough; ++iteration) {
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

std::vector<double> healpix_ring_weights(Index nside, Index degree) {
  if (nside < 1 || nside > (Index{1} << 29))
    throw core::InputError(fmt::format("nside = {} is out of range: give a number from 1 to 2^29", nside));
  if (degree < 0 || degree > 4 * nside - 2)
    throw core::InputError(
        fmt::format("ring weights of nside {} exact up to degree {}: give a degree from 0 to 4 nside - 2 = {}", nside,
                    degree, 4 * nside - 2));
  // Places and totals of ring pairs, all of them 1 together.
  std::vector<Wide> x, total;
  const auto n = static_cast<Wide>(nside);
  for (Index number = 1; number <= 2 * nside; ++number) {
    const auto i = static_cast<Wide>(number);
    const Index pixels = 4 * std::min(number, nside);
    x.push_back(number < nside ? 1 - i * i / (3 * n * n) : (4 * n - 2 * i) / (3 * n));
    total.push_back(static_cast<Wide>(number < 2 * nside ? 2 * pixels : pixels) / (12 * n * n));
  }
  const math::EvenZonal<double> rough(std::vector<double>(x.begin(), x.end()), degree);
  const math::EvenZonal<Wide> exact(x, degree);
  // The least t with A (total + t) = (1, 0, 0, ..) is A^T y. Its smallest totals are 1e-6 of the largest and want all
  // their digits, so residuals and t are made in long double.
  std::vector<Wide> y(static_cast<std::size_t>(exact.rows()), 0), t(x.size(), 0), sums(y.size());
  for (int refinement = 0; refinement < 3; ++refinement) {
    std::vector<Wide> now(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) now[i] = total[i] + t[i];
    exact.apply(now, sums);
    std::vector<double> residual(y.size());
    for (std::size_t row = 0; row < y.size(); ++row)
      residual[row] = static_cast<double>((row == 0 ? Wide(1) : Wide(0)) - sums[row]);
    const std::vector<double> correction = solve(rough, residual);
    for (std::size_t row = 0; row < y.size(); ++row) y[row] += correction[row];
    exact.apply_transposed(y, t);
  }
  for (std::size_t i = 0; i < x.size(); ++i) t[i] += total[i];
  exact.apply(t, sums);
  sums[0] -= 1;
  if (!(std::sqrt(dot<Wide>(sums, sums)) < 1e-14L))
    throw core::InputError(
        fmt::format("no ring weights of nside {} were found that are exact up to degree {}: lower the degree, 3 nside "
                    "= {} is well in "
                    "reach",
                    nside, degree, 3 * nside));
  std::vector<double> weights;
  for (std::size_t i = 0; i < x.size(); ++i) weights.push_back(static_cast<double>((t[i] - total[i]) / total[i]));
  return weights;
}

}  // namespace armilla::grid

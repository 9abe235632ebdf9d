#include <armilla/grid/quadrature_error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace armilla::grid {

namespace {

constexpr Index kMostRings = 96;   // rings of a hemisphere that are sampled
constexpr Index kMostOrders = 48;  // orders of a ring that are sampled, for each multiple of its number of pixels
constexpr double kMostAccepted = 1e-6;
constexpr double kMargin = 10;  // relative to the error at a quarter of the limit
constexpr double kScale = 0x1p512;

/// Sum over l = m .. lmax of lambda_lm^2 at x = cos(theta). The recurrence has an exponent of its own.
double order_power(Index lmax, Index m, double cos_theta, double sin_theta) {
  double last = 0, now = std::sqrt(1 / (4 * core::kPi));
  int exponent = 0;  // in units of kScale
  for (Index k = 1; k <= m; ++k) {
    now *= sin_theta * std::sqrt(static_cast<double>(2 * k + 1) / static_cast<double>(2 * k));
    if (now == 0) return 0;
    if (now < 1 / kScale) {
      now *= kScale;
      --exponent;
    }
  }
  double sum = exponent == 0 ? now * now : 0;
  double last_factor = 0;
  const auto order = static_cast<double>(m);
  for (Index k = m + 1; k <= lmax; ++k) {
    const auto l = static_cast<double>(k);
    const double factor = std::sqrt((4 * l * l - 1) / (l * l - order * order));
    const double next = factor * (cos_theta * now - last_factor * last);
    last_factor = 1 / factor;
    last = now;
    now = next;
    if (exponent < 0 && std::abs(now) > 1) {
      now /= kScale;
      last /= kScale;
      ++exponent;
    }
    if (exponent == 0) sum += now * now;
  }
  return sum;
}

/// Whether a ring and its neighbours have equally many pixels, shifted by half a pixel. Their odd aliases then cancel.
bool alternates(std::span<const Ring> rings, std::size_t i) {
  const auto is_shifted = [&](const Ring& a, const Ring& b) {
    if (a.nphi != b.nphi) return false;
    const double pixels = (b.phi0 - a.phi0) * static_cast<double>(a.nphi) / (2 * core::kPi);
    return std::abs(pixels - std::floor(pixels) - 0.5) < 1e-6;
  };
  return i > 0 && i + 1 < rings.size() && is_shifted(rings[i - 1], rings[i]) && is_shifted(rings[i], rings[i + 1]);
}

/// Squared error from orders that ring `i` does not distinguish.
double ring_alias(std::span<const Ring> rings, std::size_t i, Index lmax, Index mmax) {
  const Ring& ring = rings[i];
  const bool cancels = alternates(rings, i);
  double sum = 0;
  for (Index multiple = 1; multiple * ring.nphi <= 2 * mmax; ++multiple) {
    if (cancels && multiple % 2 == 1) continue;
    const Index shift = multiple * ring.nphi;
    // Pairs m, shift - m with both at most mmax, from the middle of the range, where both are small, to one end.
    const Index first = (shift + 1) / 2;
    const Index step = std::max<Index>((mmax - first) / kMostOrders, 1);
    double part = 0;
    for (Index m = first; m <= mmax; m += step) {
      const double product = order_power(lmax, m, std::abs(ring.cos_theta), ring.sin_theta) *
                             order_power(lmax, std::abs(shift - m), std::abs(ring.cos_theta), ring.sin_theta);
      part += (2 * m == shift ? 1.0 : 2.0) * product * static_cast<double>(step);
      if (product < 1e-6 * part) break;
    }
    sum += part;
    if (part <= 1e-6 * sum) break;
  }
  return 2 * ring.weight * ring.weight * sum;  // positive and negative multiples
}

double alias_square(const RingGrid& grid, Index lmax, Index mmax) {
  const std::span<const Ring> rings = grid.rings();
  const std::size_t step = std::max<std::size_t>(rings.size() / static_cast<std::size_t>(2 * kMostRings), 1);
  double sum = 0;
  for (std::size_t i = step / 2; i < rings.size(); i += step) {
    // Where the north has a mirror image of the south, the south need not be computed.
    const std::size_t mirror = rings.size() - 1 - i;
    const bool is_mirrored = rings[mirror].nphi == rings[i].nphi && rings[mirror].cos_theta == -rings[i].cos_theta;
    if (is_mirrored && mirror < i) continue;
    sum += (is_mirrored && mirror != i ? 2.0 : 1.0) * static_cast<double>(step) * ring_alias(rings, i, lmax, mmax);
  }
  // Number of coefficients of both signs of m.
  const double coefficients = static_cast<double>(2 * mmax + 1) * static_cast<double>(lmax + 1) -
                              static_cast<double>(mmax) * static_cast<double>(mmax + 1);
  return sum / coefficients;
}

/// Integrals of P_l over the sphere divided by 4 pi, by the weights, minus 1 for l = 0; l = 0 .. degree.
std::vector<double> theta_errors(const RingGrid& grid, Index degree) {
  std::vector<double> x, area;
  for (const Ring& ring : grid.rings()) {
    x.push_back(ring.cos_theta);
    area.push_back(ring.weight / (4 * core::kPi));
  }
  std::vector<double> last(x.size(), 0.0), now(x.size(), 1.0), sums(static_cast<std::size_t>(degree + 1));
  for (Index l = 0; l <= degree; ++l) {
    const double forward = static_cast<double>(2 * l + 1) / static_cast<double>(l + 1);
    const double back = static_cast<double>(l) / static_cast<double>(l + 1);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += area[i] * now[i];
      const double next = forward * x[i] * now[i] - back * last[i];
      last[i] = now[i];
      now[i] = next;
    }
    sums[static_cast<std::size_t>(l)] = l == 0 ? sum - 1 : sum;
  }
  return sums;
}

/// Squared error from the integrals over theta. That of P_l couples degrees l1, l2 <= lmax with |l1 - l2| <= l: their
/// share of all is the overlap of two discs with a distance of l / lmax radii, here to 1%.
double theta_square(const std::vector<double>& errors, Index lmax) {
  double sum = errors[0] * errors[0];
  const auto most = static_cast<double>(2 * lmax);
  for (Index l = 1; l < 2 * lmax; ++l) {
    const double y = static_cast<double>(l) / most;
    const double overlap = (1 - y) * std::sqrt(1 - y) * (1 + 0.227 * y);
    const double error = errors[static_cast<std::size_t>(l)];
    sum += static_cast<double>(2 * l + 1) * error * error * overlap;
  }
  return sum;
}

bool is_within(const RingGrid& grid, Index lmax, Index mmax) {
  return lmax <= grid.analysis_limits().lmax && mmax <= grid.analysis_limits().mmax;
}

bool is_exact(const RingGrid& grid, Index lmax, Index mmax) {
  const std::string& kind = grid.description().kind;
  return (kind == "gauss" || kind == "reduced_gauss" || kind == "equiangular") && is_within(grid, lmax, mmax);
}

bool is_gaussian(const RingGrid& grid) { return grid.description().kind == "octahedral"; }
bool is_of_file(const RingGrid& grid) { return grid.description().kind == "rings"; }

/// expected_quadrature_error() with these errors in theta, which may be empty if there are none.
double total_error(const RingGrid& grid, const std::vector<double>& errors, Index lmax, Index mmax) {
  const double theta = errors.empty() ? 0 : theta_square(errors, lmax);
  return std::min(std::sqrt(alias_square(grid, lmax, mmax) + theta), 1.0);
}

/// accepted_quadrature_error() of rings from a file.
double accepted_error(const RingGrid& grid, const std::vector<double>& errors) {
  const Index quarter = grid.analysis_lmax() / 4;
  return std::clamp(kMargin * total_error(grid, errors, quarter, quarter), kQuadratureAccuracy, kMostAccepted);
}

}  // namespace

double expected_quadrature_error(const RingGrid& grid, Index lmax, Index mmax) {
  if (is_exact(grid, lmax, mmax)) return 0;
  const bool is_exact_in_theta = is_gaussian(grid) && is_within(grid, lmax, mmax);
  return total_error(grid, is_exact_in_theta ? std::vector<double>() : theta_errors(grid, 2 * lmax), lmax, mmax);
}

double accepted_quadrature_error(const RingGrid& grid) {
  if (!is_of_file(grid)) return kQuadratureAccuracy;
  return accepted_error(grid, theta_errors(grid, grid.analysis_lmax()));
}

Index accurate_lmax(const RingGrid& grid) {
  const Index most = grid.analysis_lmax();
  if (is_gaussian(grid)) return std::min(grid.description().nlat / 2, most);
  if (!grid.has_weights() || !is_of_file(grid)) return most;
  const std::vector<double> errors = theta_errors(grid, 2 * most);
  const double accepted = accepted_error(grid, errors);
  Index low = -1, high = most + 1;  // accurate, not accurate
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (total_error(grid, errors, middle, middle) <= accepted ? low : high) = middle;
  }
  return low < 0 ? most : low;
}

bool exceeds_accurate_limits(const RingGrid& grid, Index lmax, Index mmax) {
  if (!is_within(grid, lmax, mmax)) return true;
  if (is_gaussian(grid)) return expected_quadrature_error(grid, lmax, mmax) > kQuadratureAccuracy;
  if (!is_of_file(grid)) return false;
  const std::vector<double> errors = theta_errors(grid, 2 * std::max(lmax, grid.analysis_lmax()));
  return total_error(grid, errors, lmax, mmax) > accepted_error(grid, errors);
}

}  // namespace armilla::grid

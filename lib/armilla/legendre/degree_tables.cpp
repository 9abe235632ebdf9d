#include <armilla/legendre/degree_tables.hpp>

#include <cmath>
#include <utility>

namespace armilla::legendre {

namespace {

using core::at;

using Real = long double;

Real real(Index i) { return static_cast<Real>(i); }

// |alpha_{k+2} / alpha_k| = eps_{l+2} eps_{l+3} / (eps_{l+4} eps_{l+5}), l = m + 2 k. Each distance j = (l -+ m) / 2
// contributes a factor sqrt((2j + 2) (2j + 3) / ((2j + 4) (2j + 5))), and the degree contributes the rest. First values
// are arbitrary; these make the sequences for even and odd k agree closely.
std::vector<Real> alpha_distance(Index count) {
  std::vector<Real> f{1.0L, 0.68L};
  for (Index j = 0; j + 2 < count; ++j) {
    const Real x = real(2 * j);
    f.push_back(f[at(j)] * std::sqrt((x + 2) * (x + 3) / ((x + 4) * (x + 5))));
  }
  return f;
}

std::vector<Real> alpha_degree(Index count) {
  std::vector<Real> h{1.0L, 1.6L, 2.2L, 2.8L};
  for (Index l = 0; l + 4 < count; ++l) {
    const Real x = real(2 * l);
    h.push_back(h[at(l)] * (x + 9) / (x + 5) * std::sqrt((x + 11) / (x + 3)));
  }
  return h;
}

// sqrt((2j - 1)!! / (2j)!!): the factor of a distance in |lambda_l| at the equator.
std::vector<Real> equator_distance(Index count) {
  std::vector<Real> g{1.0L};
  for (Index j = 0; j + 1 < count; ++j) g.push_back(g[at(j)] * std::sqrt(real(2 * j + 1) / real(2 * j + 2)));
  return g;
}

Real distance_root(Index x) { return std::sqrt(real(x)); }
Real degree_root(Index l) { return std::sqrt(real(2 * l - 1) * real(2 * l + 1)); }

Real square(Real x) { return x * x; }

// Two factors whose product is number^2 to about 2^-61. Even rows of a recurrence are scaled by the first, odd rows by
// the second. An error in the product would accumulate systematically, unlike the rounding errors of the rows. Changing
// the first factor by one ulp shifts the remainder of the second by the golden ratio modulo 1.
std::pair<double, double> factors(Real number) {
  constexpr Real kSpread = 1.2720196495140689642524L;  // square root of the golden ratio
  auto even = static_cast<double>(number * kSpread);
  auto best = std::pair(even, even);
  Real least = 1;
  for (int i = 0; i < 1000 && least > 0x1p-61L; ++i, even = std::nextafter(even, 2 * even)) {
    const Real exact = number / static_cast<Real>(even) * number;
    const auto odd = static_cast<double>(exact);
    const Real error = std::abs(exact / static_cast<Real>(odd) - 1);
    if (error >= least) continue;
    least = error;
    best = {even, odd};
  }
  return best;
}

template <class Value>
void fill_degrees(core::AlignedVector<double> (&degree)[2], Index count, const Value& value) {
  for (auto& array : degree) array.assign(at((count + 1) / 2), 0.0);
  for (Index l = 0; l < count; ++l) degree[l % 2][at(l / 2)] = static_cast<double>(value(l));
}

template <class Distance, class Degree>
DegreeTables::Product make_product(Index count, const Distance& distance, const Degree& degree) {
  DegreeTables::Product product;
  for (Index j = 0; j < count; ++j) product.distance.push_back(static_cast<double>(distance(j)));
  fill_degrees(product.degree, count, degree);
  return product;
}

}  // namespace

DegreeTables::DegreeTables(Index spin_, Index lmax_)
    : spin(spin_), lmax(lmax_), scalar_lmax(lmax_ + spin_), end(lmax_ + spin_ + kEnd) {
  const std::vector<Real> f = alpha_distance(end);
  const std::vector<Real> h = alpha_degree(end);
  const std::vector<Real> g = equator_distance(end);
  const auto times_root = [](const std::vector<Real>& values, Index plus) {
    return [&values, plus](Index j) { return values[at(j)] * distance_root(2 * j + plus); };
  };
  const auto over_root = [&](Index plus) { return [&h, plus](Index l) { return h[at(l)] / degree_root(l + plus); }; };
  alpha = make_product(
      end, [&](Index j) { return f[at(j)]; }, [&](Index l) { return h[at(l)]; });
  low = make_product(end, times_root(f, 1), over_root(1));
  high = make_product(end, times_root(f, 2), over_root(2));
  equator = make_product(end, times_root(g, 1), [](Index l) { return std::sqrt(real(2 * l + 3)); });
  row = make_product(
      end, [&](Index j) { return square(f[at(j)]); }, [&](Index l) { return square(h[at(l)]); });
  fill_degrees(row_b, end, [&](Index l) { return square(h[at(l)]) / (real(2 * l + 1) * real(2 * l + 5)); });
  row_scale.resize(at(2 * (scalar_lmax + 1)));
  alpha_scale.resize(row_scale.size());
#pragma omp parallel for schedule(static)
  for (Index m = 0; m <= scalar_lmax; ++m) {
    const Real first = f[0] * f[at(m)] * h[at(m)];
    const Real second = f[1] * f[at(m + 1)] * h[at(m + 2)];
    // alpha_k alpha_{k+1} eps_{l+2} eps_{l+3} is the same for all k except for its sign, and a_k is alpha_k^2 divided
    // by it. However, alpha has different scales for even and odd k.
    const Real eps = std::sqrt(real(6 * (2 * m + 2)) * real(2 * m + 3)) / (degree_root(m + 2) * degree_root(m + 3));
    const Real product = first * second * eps;
    const auto [even, odd] = factors(1 / product);
    row_scale[at(2 * m)] = even;
    row_scale[at(2 * m + 1)] = odd;
    const Real scale = std::sqrt(real(2 * m + 3)) / first;
    alpha_scale[at(2 * m)] = static_cast<double>(scale);
    alpha_scale[at(2 * m + 1)] = static_cast<double>(scale / (static_cast<Real>(even) * product));
  }
  if (spin == 0) return;
  root.assign(at(2 * end + kFront), 0.0);
  for (Index x = 0; x < 2 * end; ++x) root[at(x + kFront)] = static_cast<double>(distance_root(x));
  for (Index level = spin; level > 0; --level) {
    Band& band = bands.emplace_back();
    band.spin = level;
    for (auto* array : {&band.a, &band.b, &band.c}) array->assign(at(end + kFront), 0.0);
    const auto s = static_cast<double>(level);
    for (Index i = level; i < end; ++i) {
      const auto l = static_cast<double>(i);
      const std::size_t place = at(i + kFront);
      band.a[place] = std::sqrt((l - s + 1) * (l - s + 2) / ((2 * l + 1) * (2 * l + 3))) / (l + 1);
      band.b[place] = std::sqrt((l + s) * (l - s + 1)) / (l * (l + 1));
      band.c[place] = std::sqrt((l + s) * (l + s - 1) / ((2 * l - 1) * (2 * l + 1))) / l;
    }
  }
}

}  // namespace armilla::legendre

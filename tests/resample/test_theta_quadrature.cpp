#include <armilla/core/error.hpp>
#include <armilla/resample/theta_quadrature.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::resample {
namespace {

using Complex = std::complex<double>;

// Rings at q pi / points, first q from one pole, each by itself or with its mirror image as pairs of a grid have them.
struct Rings {
  std::string name;
  math::MeridianCircle circle;
  Index nlat;
  Index lmax;
  std::vector<double> cosine, sine;
  std::vector<Index> north, south;

  Rings(std::string name_, Index points, int shift, Index count, Index lmax_)
      : name(std::move(name_)), circle{points, shift}, nlat(count), lmax(lmax_) {
    std::vector<Index> number;
    for (Index i = 0; i < count; ++i) number.push_back(2 * i + shift);
    for (Index q = 0; 2 * q <= points; ++q) {
      const bool is_north = std::ranges::count(number, q) > 0;
      const bool is_south = 2 * q < points && std::ranges::count(number, points - q) > 0;
      if (!is_north && !is_south) continue;
      const double theta = core::kPi * static_cast<double>(q) / static_cast<double>(points);
      cosine.push_back(std::max(0.0, std::cos(theta)));
      sine.push_back(std::sin(theta));
      north.push_back(is_north ? q : -1);
      south.push_back(is_south ? points - q : -1);
    }
  }

  PairList pairs() const { return {cosine, sine, north, south}; }
  std::vector<double> targets(const std::vector<double>& values, double pole, bool extra) const {
    std::vector<double> all = values;
    if (extra) all.push_back(pole);
    return all;
  }
};

// The least number of rings of each rule for lmax.
std::vector<Rings> all_rings(Index lmax) {
  return {{"cc", 2 * lmax + 2, 0, lmax + 2, lmax},     {"f1", 2 * lmax + 2, 1, lmax + 1, lmax},
          {"f2", 2 * lmax + 4, 2, lmax + 1, lmax},     {"mw", 2 * lmax + 1, 1, lmax + 1, lmax},
          {"mwflip", 2 * lmax + 1, 0, lmax + 1, lmax}, {"dh", 2 * lmax + 2, 0, lmax + 1, lmax}};
}

// A column of random coefficients; of even parity without those of pole values where at_pole is false.
class Column {
 public:
  Column(Index lmax, PoleParity parity, bool at_pole, std::mt19937_64& generator) : parity_(parity) {
    std::normal_distribution<double> normal;
    for (Index k = 0; k <= lmax; ++k) coefficients_.emplace_back(normal(generator), normal(generator));
    if (parity == PoleParity::kOdd || at_pole) return;
    // Zero at both poles: sums over even and over odd degrees vanish.
    for (const Index first : {Index{0}, Index{1}}) {
      Complex sum = 0;
      for (Index k = first; k <= lmax; k += 2) sum += coefficients_[static_cast<std::size_t>(k)];
      if (first <= lmax) coefficients_[static_cast<std::size_t>(first)] -= sum;
    }
  }

  Complex at(long double theta) const {
    std::complex<long double> sum = 0;
    for (std::size_t k = 0; k < coefficients_.size(); ++k)
      sum += std::complex<long double>(coefficients_[k]) * trigonometric(parity_, static_cast<Index>(k), theta);
    return Complex(sum);
  }

  // 2 pi times the integral with trig_k(theta) sin(theta).
  Complex integral(Index k) const {
    std::complex<long double> sum = 0;
    const auto half = [](Index n) { return n % 2 == 0 ? 1.0L / (1 - static_cast<long double>(n * n)) : 0.0L; };
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
      const auto j = static_cast<Index>(i);
      const long double value = half(j - k) + (parity_ == PoleParity::kEven ? 1 : -1) * half(j + k);
      sum += std::complex<long double>(coefficients_[i]) * value;
    }
    return Complex(2 * std::numbers::pi_v<long double> * sum);
  }

  static long double trigonometric(PoleParity parity, Index k, long double theta) {
    const long double angle = static_cast<long double>(k) * theta;
    return parity == PoleParity::kEven ? std::cos(angle) : std::sin(angle);
  }

 private:
  PoleParity parity_;
  std::vector<Complex> coefficients_;
};

long double theta_of(const Rings& rings, Index number) {
  return std::numbers::pi_v<long double> * static_cast<long double>(number) /
         static_cast<long double>(rings.circle.points);
}

// For a Legendre stage of degree `lmax`, at most that of the rings.
class Quadrature {
 public:
  Quadrature(const Rings& rings, Index lmax)
      : circle_(rings.circle, rings.pairs()),
        source_side_(lmax, rings.targets(rings.cosine, 1, circle_.has_extra()),
                     rings.targets(rings.sine, 0, circle_.has_extra())),
        grid_side_(rings.lmax, rings.targets(rings.cosine, 1, circle_.has_extra()),
                   rings.targets(rings.sine, 0, circle_.has_extra())),
        quadrature_(source_side_, grid_side_, circle_),
        resampling_(grid_side_),
        workspace_(quadrature_, resampling_) {}

  const ThetaQuadrature& operator*() const { return quadrature_; }
  const ThetaQuadrature* operator->() const { return &quadrature_; }
  ThetaQuadrature::Workspace& workspace() { return workspace_; }

 private:
  CircleRings circle_;
  ThetaResampler source_side_, grid_side_;
  ThetaQuadrature quadrature_;
  ThetaResampler::Workspace resampling_;
  ThetaQuadrature::Workspace workspace_;
};

std::vector<PairValue> values_of(const Rings& rings, const Column& column) {
  std::vector<PairValue> values(rings.cosine.size() + 1);
  for (std::size_t p = 0; p < rings.cosine.size(); ++p) {
    const Complex north = rings.north[p] < 0 ? 0 : column.at(theta_of(rings, rings.north[p]));
    const Complex south = rings.south[p] < 0 ? 0 : column.at(theta_of(rings, rings.south[p]));
    values[p] = {{north.real(), north.imag(), south.real(), south.imag()}};
  }
  return values;
}

struct Choice {
  PoleParity parity;
  bool at_pole;
};
constexpr Choice kChoices[] = {{PoleParity::kEven, true}, {PoleParity::kEven, false}, {PoleParity::kOdd, false}};

// The degrees of a Legendre stage on rings of that degree.
std::set<Index> truncated(Index degree) { return {std::max<Index>(degree / 4, 1), degree / 2 + 1, degree}; }

TEST(ThetaQuadrature, PlainSumsOverItsRingsAreTheIntegrals) {
  std::mt19937_64 generator(7);
  for (const Index degree : {Index{1}, Index{2}, Index{3}, Index{4}, Index{7}, Index{20}, Index{63}, Index{150}}) {
    for (const Rings& rings : all_rings(degree))
      for (const Index lmax : truncated(degree)) {
        Quadrature quadrature(rings, lmax);
        for (const Choice choice : kChoices) {
          SCOPED_TRACE(rings.name + ", degree " + std::to_string(degree) + ", lmax " + std::to_string(lmax) +
                       ", even " + std::to_string(choice.parity == PoleParity::kEven) + ", at pole " +
                       std::to_string(choice.at_pole));
          const Column column(degree, choice.parity, choice.at_pole, generator);
          std::vector<PairValue> to_grid = values_of(rings, column);
          std::vector<PairValue> to_source = to_grid;
          const Index source_pairs = quadrature->source_side().source_pairs();
          std::vector<PairValue> source(static_cast<std::size_t>(source_pairs));
          if (lmax == degree)
            quadrature->rings_to_rings(choice.parity, choice.at_pole, to_grid.data(), quadrature.workspace());
          quadrature->rings_to_source(choice.parity, choice.at_pole, to_source.data(), column_of(source.data()),
                                      quadrature.workspace());
          // Sums of as many terms as degrees, each good to the error of resampling.
          const double bound = 2e-13 * static_cast<double>(degree + 1);
          for (Index k = 0; k <= lmax; ++k) {
            const auto value = [&](long double theta) {
              return static_cast<double>(Column::trigonometric(choice.parity, k, theta));
            };
            Complex grid_sum = 0;
            for (std::size_t p = 0; p < rings.cosine.size(); ++p) {
              if (rings.north[p] >= 0) grid_sum += to_grid[p].north() * value(theta_of(rings, rings.north[p]));
              if (rings.south[p] >= 0) grid_sum += to_grid[p].south() * value(theta_of(rings, rings.south[p]));
            }
            Complex source_sum = 0;
            for (Index p = 0; p < source_pairs; ++p) {
              const long double theta = std::numbers::pi_v<long double> * static_cast<long double>(2 * p + 1) /
                                        static_cast<long double>(4 * source_pairs);
              source_sum += source[static_cast<std::size_t>(p)].north() * value(theta);
              source_sum +=
                  source[static_cast<std::size_t>(p)].south() * value(std::numbers::pi_v<long double> - theta);
            }
            const Complex expected = column.integral(k);
            // Functions that do not vanish at the poles come out of no rings there.
            const bool everywhere = lmax == degree && (choice.at_pole || choice.parity == PoleParity::kOdd ||
                                                       !quadrature->rings().has_extra());
            if (everywhere) {
              EXPECT_LT(std::abs(grid_sum - expected), bound) << "k " << k;
            }
            EXPECT_LT(std::abs(source_sum - expected), bound) << "k " << k;
          }
        }
      }
  }
}

double dot(std::span<const PairValue> a, std::span<const PairValue> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 4; ++c) sum += a[i].part[c] * b[i].part[c];
  return sum;
}

void randomise(std::vector<PairValue>& values, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  for (auto& value : values)
    for (double& part : value.part) part = normal(generator);
}

void clear_absent(const Rings& rings, std::vector<PairValue>& values) {
  for (std::size_t p = 0; p < rings.cosine.size(); ++p)
    for (int c = 0; c < 2; ++c) {
      if (rings.north[p] < 0) values[p].part[c] = 0;
      if (rings.south[p] < 0) values[p].part[2 + c] = 0;
    }
  values.back() = {};
}

TEST(ThetaQuadrature, IsItsOwnTransposeAndHasOneToTheSource) {
  std::mt19937_64 generator(8);
  for (const Index degree : {Index{2}, Index{9}, Index{40}}) {
    for (const Rings& rings : all_rings(degree))
      for (const Index lmax : truncated(degree)) {
        Quadrature quadrature(rings, lmax);
        for (const Choice choice : kChoices) {
          SCOPED_TRACE(rings.name + ", degree " + std::to_string(degree) + ", lmax " + std::to_string(lmax));
          std::vector<PairValue> x(rings.cosine.size() + 1), y(rings.cosine.size() + 1);
          randomise(x, generator);
          randomise(y, generator);
          clear_absent(rings, x);
          clear_absent(rings, y);
          std::vector<PairValue> ax = x, ay = y;
          if (lmax == degree) {
            quadrature->rings_to_rings(choice.parity, choice.at_pole, ax.data(), quadrature.workspace());
            quadrature->rings_to_rings(choice.parity, choice.at_pole, ay.data(), quadrature.workspace());
            clear_absent(rings, ax);
            clear_absent(rings, ay);
            EXPECT_NEAR(dot(ax, y), dot(x, ay), 1e-13 * std::sqrt(dot(ax, ax) * dot(y, y)));
            EXPECT_GT(dot(ax, ax), 0);
          }

          std::vector<PairValue> s(static_cast<std::size_t>(quadrature->source_side().source_pairs()));
          std::vector<PairValue> bx(s.size()), bs(x.size()), work = x;
          randomise(s, generator);
          quadrature->rings_to_source(choice.parity, choice.at_pole, work.data(), column_of(bx.data()),
                                      quadrature.workspace());
          quadrature->source_to_rings(choice.parity, choice.at_pole, column_of(static_cast<const PairValue*>(s.data())),
                                      bs.data(), quadrature.workspace());
          clear_absent(rings, bs);
          EXPECT_NEAR(dot(bx, s), dot(x, bs), 1e-13 * std::sqrt(dot(bx, bx) * dot(s, s)));
          EXPECT_GT(dot(bx, bx), 0);
        }
      }
  }
}

TEST(CircleRings, RefusesRingsThatAreNotThoseOfTheCircle) {
  const Rings rings("f1", 12, 1, 6, 5);
  EXPECT_THROW(CircleRings({12, 0}, rings.pairs()), core::InputError);
  EXPECT_THROW(CircleRings({14, 1}, rings.pairs()), core::InputError);
  const Rings fewer("f1", 12, 1, 4, 3);
  EXPECT_THROW(CircleRings({12, 1}, fewer.pairs()), core::InputError);
}

}  // namespace
}  // namespace armilla::resample

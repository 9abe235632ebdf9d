#include <armilla/core/error.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/math/wigner.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "support/reference_data.hpp"
#include <gtest/gtest.h>

namespace armilla::legendre {
namespace {

// One m, one ring pair, all in one block: the smallest task.
struct OnePair {
  OnePair(Index spin, Index lmax, Index m_, double theta)
      : m{m_}, offset{-m_}, cosine{std::cos(theta)}, sine{std::sin(theta)} {
    task.lmax = lmax;
    task.spin = spin;
    task.components = spin == 0 ? 1 : 2;
    task.m = m;
    task.alm_offset = offset;
    task.component_stride = lmax - m_ + 1;
    task.map_stride = task.components * task.component_stride;
    task.cos_theta = cosine;
    task.sin_theta = sine;
    task.first_pair = zero;
    task.block_shift = zero;
    task.pair_block = block;
    task.north_slot = north;
    task.south_slot = south;
  }

  std::vector<Index> m, offset, zero{0}, north{0}, south{1};
  std::vector<int> block{0};
  std::vector<double> cosine, sine;
  Task task;
};

// Every engine of the table, with the roundings that its recurrence is allowed: 1e-15 (l + 10) of the reference; the
// fast one's recurrence in x^2 loses about ten times that on rings next to the equator, where x^2 is small against its
// rounding.
class EveryEngine : public testing::TestWithParam<std::string> {
 public:
  double tolerance(Index l) const {
    return (GetParam() == "reference" ? 1e-15 : 1.5e-14) * static_cast<double>(l + 10);
  }
};

std::vector<std::string> engines() {
  auto names = engine_names();
  names.erase(names.begin());  // auto
  return names;
}

INSTANTIATE_TEST_SUITE_P(Engines, EveryEngine, testing::ValuesIn(engines()),
                         [](const auto& parameter) { return parameter.param; });

// A single coefficient E_lm = 1 gives `same` in Q and -i `mixed` in U, from which both signs of the spin follow.
// Of rows with l above 1000, every `stride`-th.
void expect_exact_values(const std::string& name, const std::function<double(Index l)>& tolerance, int stride) {
  std::ifstream file(test::reference_file("legendre_exact.csv"));
  std::string line;
  std::getline(file, line);
  int checked = 0, high = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Index spin = 0;
    Index l = 0;
    Index m = 0;
    double theta = 0;
    std::string value;
    fields >> spin >> l >> m >> theta >> value;
    if (l < std::max(spin, m) || (l > 1000 && high++ % stride != 0)) continue;
    const bool southern = theta > core::kPi / 2;
    OnePair pair(spin, l, m, southern ? (core::kPi - theta) + 1.2246467991473532e-16 : theta);
    const auto engine = make_engine<double>(name, pair.task);
    std::vector<std::complex<double>> alm(static_cast<std::size_t>(pair.task.map_stride), 0.0);
    alm[static_cast<std::size_t>(l - m)] = 1;
    std::vector<std::complex<double>> delta(static_cast<std::size_t>(2 * pair.task.components), std::nan(""));
    engine->synthesis(alm.data(), delta.data(), {});
    const std::size_t ring = southern ? 1 : 0;
    double computed = delta[ring].real();
    if (spin > 0) {
      const double same = delta[2 * ring].real();
      const double mixed = -delta[2 * ring + 1].imag();
      computed = -(same + mixed);
    }
    const double exact = std::strtod(value.c_str(), nullptr);
    ASSERT_TRUE(std::isfinite(computed)) << line;
    ASSERT_NEAR(computed, exact, tolerance(l) * std::max(1.0, std::abs(exact))) << line;
    ++checked;
  }
  EXPECT_GT(checked, 700 + 300 / stride);
}

TEST_P(EveryEngine, EqualsTheExactValues) {
  expect_exact_values(
      GetParam(), [&](Index l) { return tolerance(l); }, 7);
}

TEST_P(EveryEngine, SweepEqualsTheExactValues) {
  expect_exact_values(
      GetParam(), [&](Index l) { return tolerance(l); }, 1);
}

TEST_P(EveryEngine, SkipsNothingAtDegreesFarAboveUnderflow) {
  // sin(theta)^m is 1e-2000 here, and the function of degree lmax is of order one again.
  const Index m = 2000;
  const Index lmax = 20100;
  const double theta = 0.1;
  OnePair pair(0, lmax, m, theta);
  std::vector<std::complex<double>> alm(static_cast<std::size_t>(pair.task.map_stride), 0.0);
  alm.back() = {0.0, 1.0};
  std::vector<std::complex<double>> delta(2, std::nan(""));
  make_engine<double>(GetParam(), pair.task)->synthesis(alm.data(), delta.data(), {});
  const double expected = math::spin_harmonic(0, lmax, m, theta);
  EXPECT_GT(std::abs(expected), 1e-3);
  EXPECT_NEAR(delta[0].imag(), expected, tolerance(lmax));
  EXPECT_NEAR(delta[1].imag(), expected * ((lmax + m) % 2 == 0 ? 1 : -1), tolerance(lmax));
}

TEST(Engines, UnknownNamesAreRefused) {
  OnePair pair(0, 4, 0, 1.0);
  try {
    make_engine<double>("fastest", pair.task);
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_STREQ(error.what(), "engine = fastest does not exist: use one of auto, fast, reference");
  }
}

}  // namespace
}  // namespace armilla::legendre

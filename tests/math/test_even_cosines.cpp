#include <armilla/math/even_cosines.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::math {
namespace {

using core::Index;

template <class Real>
void check(std::size_t columns, Index rows, Real tolerance) {
  std::vector<long double> theta;
  std::vector<Real> values, coefficients;
  for (std::size_t i = 0; i < columns; ++i) {
    theta.push_back(1.57L * (static_cast<long double>(i) + 0.3L) / static_cast<long double>(columns));
    values.push_back(std::sin(Real(i * i)) / Real(columns));
  }
  for (Index k = 0; k < rows; ++k) coefficients.push_back(std::cos(Real(3 * k)) / Real(rows));
  const EvenCosines<Real> a(theta, rows);
  std::vector<Real> sums(static_cast<std::size_t>(rows), NAN), back(columns, NAN);
  a.apply(values, sums);
  a.apply_transposed(coefficients, back);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    long double sum = 0;
    for (std::size_t i = 0; i < columns; ++i)
      sum += std::cos(2 * static_cast<long double>(k) * theta[i]) * static_cast<long double>(values[i]);
    EXPECT_NEAR(static_cast<double>(sums[k] - sum), 0, static_cast<double>(tolerance)) << k;
  }
  for (std::size_t i = 0; i < columns; ++i) {
    long double sum = 0;
    for (std::size_t k = 0; k < sums.size(); ++k)
      sum += std::cos(2 * static_cast<long double>(k) * theta[i]) * static_cast<long double>(coefficients[k]);
    EXPECT_NEAR(static_cast<double>(back[i] - sum), 0, static_cast<double>(tolerance)) << i;
  }
}

// An angle of 2 k theta below 1000 with its roundings, in sums of magnitude 1.
TEST(EvenCosines, ProductsAreThoseOfTheMatrix) {
  for (const auto& [columns, rows] : {std::pair<std::size_t, Index>{1, 1}, {2, 2}, {9, 5}, {64, 100}, {700, 301}}) {
    check<double>(columns, rows, 1e-13);
    check<long double>(columns, rows, 1e-16L);
  }
}

}  // namespace
}  // namespace armilla::math

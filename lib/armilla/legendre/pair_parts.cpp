#include <armilla/legendre/pair_parts.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::legendre {

namespace {

using core::at;

// Errors of the scalar kernel relative to the rms of a field, eps = 2.2e-16:
// - Division by sin^s amplifies the error to eps / sin^s. Rings where that exceeds 5e-14 use the Wigner recurrence.
constexpr double kLossAllowed = 4.4e-3;
// - Near the poles and near the equator, kTwoTerm has an error of about 0.4 and 0.1 eps sqrt(lmax) / angle,
//   respectively (measured at lmax 4095). Rings where that exceeds 1e-12 use the Wigner recurrence and kEquator. There
//   are few of these rings, and few m contribute to those near the poles.
constexpr double kNearPole = 1.5e-4;
constexpr double kNearEquator = 2e-5;
// - A rounding error of the variable causes an error of lmax eps. It is smaller for -sin^2 than for cos^2 where sin^2
//   is the smaller of the two.
constexpr double kPolar = 0.70710678;

}  // namespace

PairParts::PairParts(const Task& task) : end(task.pairs()) {
  const auto pairs_below = [&](double sine) {
    const auto first = std::lower_bound(task.sin_theta.begin(), task.sin_theta.end(), sine);
    return static_cast<Index>(first - task.sin_theta.begin());
  };
  if (task.spin > kMaxScalarSpin) {
    wigner = polar = square = end;
    return;
  }
  const double root = std::sqrt(static_cast<double>(task.lmax));
  const double loss = task.spin == 0 ? 0.0 : std::pow(kLossAllowed, 1.0 / static_cast<double>(task.spin));
  wigner = pairs_below(std::max(kNearPole * root, loss));
  polar = std::max(wigner, pairs_below(kPolar));
  square = end;
  while (square > polar && std::abs(task.cos_theta[at(square - 1)]) < kNearEquator * root) --square;
}

HalfFactors::HalfFactors(const Task& task) {
  for (Index p = 0; p < task.pairs(); ++p) {
    const double divisor = task.spin == 0 ? 1.0 : std::pow(task.sin_theta[at(p)], -static_cast<double>(task.spin));
    even.push_back(divisor);
    odd.push_back(divisor * task.cos_theta[at(p)]);
  }
}

}  // namespace armilla::legendre

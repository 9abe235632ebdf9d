#pragma once

#include <armilla/core/types.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace armilla::fft {

using core::Index;

/// exp(i m phi0) for m = 0 .. mmax, from two short tables made in long double: the product m phi0 in double would cost
/// m phi0 eps, 1e-12 at m of some thousands.
class RingPhase {
 public:
  /// Makes the tables anew where phi0 or mmax changed; rings of one longitude in a row share them.
  void set(double phi0, Index mmax) {
    if (phi0 == phi0_ && mmax <= mmax_) return;
    phi0_ = phi0;
    mmax_ = mmax;
    low_.clear();
    high_.clear();
    for (Index m = 0; m < kLow; ++m) low_.push_back(unit(m));
    for (Index m = 0; m <= mmax; m += kLow) high_.push_back(unit(m));
  }

  std::complex<double> operator()(Index m) const {
    const std::complex<double> a = low_[static_cast<std::size_t>(m % kLow)];
    const std::complex<double> b = high_[static_cast<std::size_t>(m / kLow)];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  static constexpr Index kLow = 64;

  std::complex<double> unit(Index m) const {
    const long double angle = static_cast<long double>(m) * static_cast<long double>(phi0_);
    return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
  }

  double phi0_ = 0;
  Index mmax_ = -1;
  std::vector<std::complex<double>> low_;
  std::vector<std::complex<double>> high_;
};

}  // namespace armilla::fft

#pragma once

#include <armilla/core/types.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace armilla::fft {

using core::Index;

/// exp(i m angle) for m = 0, 1, ... as the product of two short tables. It needs one sine and cosine per 64 values of
/// m.
class UnitTable {
 public:
  static constexpr Index kLow = 64;

  /// unit(m) = exp(i m angle) to full precision; called for m < kLow and for the multiples of kLow below `count`.
  template <class Unit>
  void fill(Index count, const Unit& unit) {
    low_.resize(static_cast<std::size_t>(kLow));
    high_.resize(static_cast<std::size_t>((count + kLow - 1) / kLow));
    for (Index m = 0; m < kLow; ++m) low_[static_cast<std::size_t>(m)] = unit(m);
    for (std::size_t h = 0; h < high_.size(); ++h) high_[h] = unit(static_cast<Index>(h) * kLow);
  }

  std::complex<double> operator()(Index m) const {
    const std::complex<double> a = low_[static_cast<std::size_t>(m % kLow)];
    const std::complex<double> b = high_[static_cast<std::size_t>(m / kLow)];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  std::vector<std::complex<double>> low_;
  std::vector<std::complex<double>> high_;
};

/// exp(i m phi0) for tiles of UnitTable::kLow values of m. The rounding error of the product m phi0 is compensated. In
/// plain double precision it would be m phi0 eps, 1e-12 for m of some thousands.
template <class T>
class RingPhase {
 public:
  /// Recomputes the tables if phi0 changes or the number of m increases; consecutive rings with the same longitude
  /// share them.
  void set(double phi0, Index m_count) {
    if (phi0 == phi0_ && m_count <= m_count_) return;
    phi0_ = phi0;
    m_count_ = m_count;
    const auto unit = [phi0](Index m) -> std::complex<double> {
      const double number = static_cast<double>(m);
      const double angle = number * phi0;
      const double rest = std::fma(number, phi0, -angle);
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      return {c - s * rest, s + c * rest};
    };
    for (Index m = 0; m < UnitTable::kLow; ++m) {
      const std::complex<double> low = unit(m);
      low_re_[m] = static_cast<T>(low.real());
      low_im_[m] = static_cast<T>(low.imag());
    }
    high_.clear();
    for (Index m = 0; m < m_count; m += UnitTable::kLow) {
      const std::complex<double> high = unit(m);
      high_.emplace_back(static_cast<T>(high.real()), static_cast<T>(high.imag()));
    }
  }

  const T* low_re() const { return low_re_; }  ///< [m], m = 0 .. kLow - 1
  const T* low_im() const { return low_im_; }
  /// The factor for m = tile * kLow.
  std::complex<T> high(Index tile) const { return high_[static_cast<std::size_t>(tile)]; }

 private:
  double phi0_ = 0;
  Index m_count_ = 0;
  T low_re_[UnitTable::kLow] = {};
  T low_im_[UnitTable::kLow] = {};
  std::vector<std::complex<T>> high_;
};

}  // namespace armilla::fft

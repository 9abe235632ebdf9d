#pragma once

#include <armilla/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace armilla::fft {

using core::Index;

/// Product of two numbers, without the checks for infinities of operator*.
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Calls body(m, exp(i m angle)) for m = 0 .. count - 1, count <= 64. unit(m) = exp(i m angle) to full precision is
/// called for m = 1 .. 7 and the multiples of 8 only, because sine and cosine take most of the time of short rings.
template <class Unit, class Body>
void for_each_complex_unit(Index count, const Unit& unit, const Body& body) {
  constexpr Index kSide = 8;
  std::complex<double> first[kSide] = {1.0};
  for (Index m = 1; m < std::min(kSide, count); ++m) first[m] = unit(m);
  for (Index begin = 0; begin < count; begin += kSide) {
    const std::complex<double> row = begin == 0 ? 1.0 : unit(begin);
    for (Index m = begin; m < std::min(begin + kSide, count); ++m) body(m, product(row, first[m - begin]));
  }
}

/// exp(i m angle) for m = 0, 1, ... as the product of two short tables.
class UnitTable {
 public:
  static constexpr Index kLow = 64;

  /// unit(m) = exp(i m angle) to full precision. It is called for 15 values of m and for the multiples of kLow below
  /// `count`.
  template <class Unit>
  void fill(Index count, const Unit& unit) {
    low_.resize(static_cast<std::size_t>(std::min(count, kLow)));
    high_.resize(static_cast<std::size_t>((count + kLow - 1) / kLow));
    for_each_complex_unit(std::min(count, kLow), unit,
                          [&](Index m, std::complex<double> value) { low_[static_cast<std::size_t>(m)] = value; });
    for (std::size_t h = 0; h < high_.size(); ++h) high_[h] = h == 0 ? 1.0 : unit(static_cast<Index>(h) * kLow);
  }

  std::complex<double> operator()(Index m) const {
    return product(low_[static_cast<std::size_t>(m % kLow)], high_[static_cast<std::size_t>(m / kLow)]);
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
    m_count_ = 0;  // until the tables are complete, because an allocation may fail
    const auto unit = [phi0](Index m) -> std::complex<double> {
      const double number = static_cast<double>(m);
      const double angle = number * phi0;
      const double rest = std::fma(number, phi0, -angle);
      const double c = std::cos(angle);
      const double s = std::sin(angle);
      return {c - s * rest, s + c * rest};
    };
    for_each_complex_unit(std::min(m_count, UnitTable::kLow), unit, [this](Index m, std::complex<double> low) {
      low_re_[m] = static_cast<T>(low.real());
      low_im_[m] = static_cast<T>(low.imag());
    });
    high_.clear();
    for (Index m = 0; m < m_count; m += UnitTable::kLow) {
      const std::complex<double> high = unit(m);
      high_.emplace_back(static_cast<T>(high.real()), static_cast<T>(high.imag()));
    }
    phi0_ = phi0;
    m_count_ = m_count;
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

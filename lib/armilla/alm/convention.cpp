#include <armilla/alm/convention.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/core/types.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace armilla::alm {

namespace {

/// Ratio of the orthonormal harmonic to P_lm exp(i m phi).
long double orthonormal_size(Index l, Index m) {
  const auto degree = static_cast<long double>(l);
  const auto order = static_cast<long double>(m);
  return std::sqrt((2 * degree + 1) / (4 * std::numbers::pi_v<long double>)) *
         std::exp((std::lgamma(degree - order + 1) - std::lgamma(degree + order + 1)) / 2);
}

/// Ratio of the orthonormal coefficient to that of the convention, without the signs of phase and basis.
double norm_factor(Norm norm, Index l, Index m) {
  switch (norm) {
    case Norm::kOrthonormal:
      return 1;
    case Norm::k4Pi:
      return std::sqrt(4 * core::kPi);
    case Norm::kSchmidt:
      return std::sqrt(4 * core::kPi / static_cast<double>(2 * l + 1));
    case Norm::kUnnormalised:
      break;
  }
  return static_cast<double>(1 / orthonormal_size(l, m));
}

/// Factor of a complex coefficient on conversion to Armilla's convention.
double factor(const Convention& convention, Index l, Index m) {
  double result = norm_factor(convention.norm, l, m);
  if (convention.phase == Phase::kNone && m % 2 == 1) result = -result;
  if (convention.basis == Basis::kReal && m > 0)  // a real field has C_lm cos + S_lm sin = 2 Re(a_lm exp(i m phi))
    result *= convention.norm == Norm::kUnnormalised ? 0.5 : 1 / std::sqrt(2.0);
  return result;
}

void check_range(const Convention& convention, Index lmax) {
  if (convention.norm == Norm::kUnnormalised && lmax > kUnnormalisedLmax)
    throw core::InputError(
        fmt::format("unnormalised coefficients of lmax = {} exceed the range of double precision, which suffices up to "
                    "lmax = {}: use another norm",
                    lmax, kUnnormalisedLmax));
}

}  // namespace

std::string Convention::text() const {
  return fmt::format("{}, {}, {}", kNormNames[static_cast<std::size_t>(norm)],
                     phase == Phase::kNone ? "no Condon-Shortley phase" : "Condon-Shortley phase",
                     kBasisNames[static_cast<std::size_t>(basis)]);
}

template <class T>
void from_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients) {
  if (convention == Convention()) return;
  check_range(convention, m + static_cast<Index>(coefficients.size()) - 1);
  Index l = m;
  for (std::complex<T>& value : coefficients) {
    const double scale = factor(convention, l++, m);
    const double sign = convention.basis == Basis::kReal ? -1 : 1;  // S_lm is minus the imaginary part
    value = {static_cast<T>(scale * static_cast<double>(value.real())),
             static_cast<T>(sign * scale * static_cast<double>(value.imag()))};
  }
}

template <class T>
void to_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients) {
  if (convention == Convention()) return;
  check_range(convention, m + static_cast<Index>(coefficients.size()) - 1);
  Index l = m;
  for (std::complex<T>& value : coefficients) {
    const double scale = factor(convention, l++, m);
    const double sign = convention.basis == Basis::kReal ? -1 : 1;
    value = {static_cast<T>(static_cast<double>(value.real()) / scale),
             static_cast<T>(sign * static_cast<double>(value.imag()) / scale)};
  }
}

ARMILLA_INSTANTIATE(from_convention);
ARMILLA_INSTANTIATE(to_convention);

}  // namespace armilla::alm

#pragma once

#include <armilla/alm/alm_layout.hpp>

#include <array>
#include <complex>
#include <span>
#include <string>

namespace armilla::alm {

/// Size of the harmonics Y_lm that coefficients multiply. With P_lm the associated Legendre functions:
enum class Norm {
  kOrthonormal,   ///< the integral of |Y_lm|^2 is 1; what Armilla computes with
  k4Pi,           ///< it is 4 pi (geodesy, SHTOOLS' default)
  kSchmidt,       ///< it is 4 pi / (2 l + 1) (geomagnetism: Schmidt semi-normalised)
  kUnnormalised,  ///< Y_lm = P_lm exp(i m phi), or P_lm cos(m phi) and P_lm sin(m phi)
};

/// Whether Y_lm holds the Condon-Shortley phase (-1)^m.
enum class Phase { kCondonShortley, kNone };

/// What the two numbers of (l, m), m >= 0, are.
enum class Basis {
  kComplex,  ///< real and imaginary part of a_lm
  kReal,  ///< C_lm and S_lm, of cos(m phi) and sin(m phi); their harmonics have a sqrt(2) for m > 0 unless unnormalised
};

/// The convention that the coefficients of a real field follow. The default is Armilla's own, and healpy's.
struct Convention {
  Norm norm = Norm::kOrthonormal;
  Phase phase = Phase::kCondonShortley;
  Basis basis = Basis::kComplex;

  /// "orthonormal, condon-shortley, complex".
  std::string text() const;
  friend bool operator==(const Convention&, const Convention&) = default;
};

// Names in jobs and in files, in the order of the enumerators.
inline constexpr std::array<const char*, 4> kNormNames{"orthonormal", "4pi", "schmidt", "unnormalised"};
inline constexpr std::array<const char*, 2> kPhaseNames{"condon-shortley", "none"};
inline constexpr std::array<const char*, 2> kBasisNames{"complex", "real"};

/// Unnormalised coefficients span more than the range of double beyond this lmax: sqrt((2 lmax)!) ends near 1e308.
inline constexpr Index kUnnormalisedLmax = 150;

/// Turns coefficients (l, m), l = m .. m + size - 1, of one m from `convention` into Armilla's own, in place. Formulas:
/// Wieczorek & Meschede 2018, section 2. Throws InputError for unnormalised coefficients beyond kUnnormalisedLmax.
template <class T>
void from_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients);

/// The inverse of from_convention().
template <class T>
void to_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients);

}  // namespace armilla::alm

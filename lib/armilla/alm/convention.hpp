#pragma once

#include <armilla/alm/alm_layout.hpp>

#include <array>
#include <complex>
#include <span>
#include <string>

namespace armilla::alm {

/// Size of the harmonics Y_lm that coefficients multiply. With P_lm the associated Legendre functions:
enum class Norm {
  kOrthonormal,   ///< the integral of |Y_lm|^2 is 1; used by Armilla
  k4Pi,           ///< the integral is 4 pi (geodesy, default of SHTOOLS)
  kSchmidt,       ///< the integral is 4 pi / (2 l + 1) (geomagnetism: Schmidt semi-normalised)
  kUnnormalised,  ///< Y_lm = P_lm exp(i m phi), or P_lm cos(m phi) and P_lm sin(m phi)
};

/// Whether Y_lm includes the Condon-Shortley phase (-1)^m.
enum class Phase { kCondonShortley, kNone };

/// Meaning of the two numbers stored for (l, m), m >= 0.
enum class Basis {
  kComplex,  ///< real and imaginary part of a_lm
  kReal,     ///< C_lm and S_lm, of cos(m phi) and sin(m phi), whose Y_lm have a factor sqrt(2) for m > 0 unless
             ///< unnormalised
};

/// The convention that the coefficients of a real field follow. The default is that of Armilla and healpy.
struct Convention {
  Norm norm = Norm::kOrthonormal;
  Phase phase = Phase::kCondonShortley;
  Basis basis = Basis::kComplex;

  /// A text such as "orthonormal, condon-shortley, complex".
  std::string text() const;
  friend bool operator==(const Convention&, const Convention&) = default;
};

// Names in jobs and in files, in the order of the enumerators.
inline constexpr std::array<const char*, 4> kNormNames{"orthonormal", "4pi", "schmidt", "unnormalised"};
inline constexpr std::array<const char*, 2> kPhaseNames{"condon-shortley", "none"};
inline constexpr std::array<const char*, 2> kBasisNames{"complex", "real"};

/// Unnormalised coefficients exceed the range of double above this lmax: sqrt((2 lmax)!) reaches about 1e308.
inline constexpr Index kUnnormalisedLmax = 150;

/// Converts coefficients (l, m), l = m .. m + size - 1, of one m from `convention` to Armilla's own, in place.
/// Formulas: Wieczorek & Meschede 2018, section 2. Throws InputError for unnormalised coefficients above
/// kUnnormalisedLmax.
template <class T>
void from_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients);

/// The inverse of from_convention().
template <class T>
void to_convention(const Convention& convention, Index m, std::span<std::complex<T>> coefficients);

}  // namespace armilla::alm

#pragma once

#include <armilla/math/euler.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace armilla::ops {

/// Celestial coordinates, all of epoch and equinox J2000: galactic, ecliptic (mean ecliptic of the IAU 2006 precession
/// model), equatorial (FK5).
enum class Coordinates { kGalactic, kEcliptic, kEquatorial };

inline constexpr std::array kAllCoordinates{Coordinates::kGalactic, Coordinates::kEcliptic, Coordinates::kEquatorial};

/// "galactic", "ecliptic", "equatorial".
const char* name_of(Coordinates coordinates);
/// G, E, C, as in the COORDSYS keyword of files.
std::string letter_of(Coordinates coordinates);
/// Inverse of letter_of(); std::nullopt for other letters.
std::optional<Coordinates> coordinates_of_letter(std::string_view letter);

/// The matrix R that transforms the coordinates of a point: to = R from. Rotating a field by R transforms it in the
/// same way. R agrees with healpy.Rotator(coord=[from, to]) to 4e-15, as both are computed from the angles below.
/// Equatorial to galactic: galactic pole at (192.8594812065348, 27.12825118085622) degrees, celestial pole at galactic
/// longitude 122 d 55 m 54.90684481 s, the values of astropy. ICRS to ecliptic: R_z(psi) R_x(phi) R_z(gamma) of frames,
/// gamma = -0.052928", phi = 84381.412819", psi = 0.041775" (Capitaine & Wallace 2006 at J2000, including frame bias).
/// ICRS to FK5: R_x(19.9 mas) R_y(9.1 mas) R_z(-22.9 mas) (Mignard & Froeschle 2000).
math::RotationMatrix coordinate_matrix(Coordinates from, Coordinates to);

/// The rotation that transforms the coefficients of a field from `from` to `to`.
math::EulerAngles coordinate_rotation(Coordinates from, Coordinates to);

}  // namespace armilla::ops

#pragma once

#include <armilla/grid/ring_grid.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::grid {

/// Largest number of rings of a grid: beyond lmax = 5e5 no transform is feasible, and the list of rings alone would
/// fill the memory of each rank.
inline constexpr Index kMaxRings = Index{1} << 20;

/// Throws InputError if a grid with `parameter` = `value`, such as "gauss.nlat", has more than kMaxRings rings.
void check_ring_count(const std::string& parameter, Index value, Index rings);

/// HEALPix (Gorski et al. 2005) with 12 nside^2 pixels in RING order and equal weights 4 pi / npix per pixel. Throws
/// InputError for nside outside 1 .. 2^29 and from 2^18 + 1 on, with more than kMaxRings rings; make_part() supports
/// parts of such grids. (Only NESTED order requires a power of two.)
RingGrid make_healpix(Index nside);

/// Gauss-Legendre colatitudes, nphi pixels per ring starting at phi0 [rad], which is reduced to [0, 2 pi). Quadrature
/// is exact up to lmax = nlat - 1 if nphi >= 2 mmax + 1. nphi = 0 means 2 nlat. Throws InputError for nlat < 1 or nphi
/// < 0.
RingGrid make_gauss(Index nlat, Index nphi, double phi0 = 0);

/// Gauss-Legendre colatitudes with the smallest number of pixels on each ring for which analysis up to lmax = nlat - 1
/// and up to this spin is exact to rounding. From nlat = 1024 on, this is 30% less than on the full grid. Near a pole
/// functions of high m are small, exp(-x) with x of math::legendre_decay. With n pixels on a ring, n - m is an alias of
/// m, so the product of two such functions must be negligible, x(n / 2 - spin) >= 18. Numbers of pixels are even
/// products of 2, 3 and 5. The first pixels are at phi0 [rad], reduced to [0, 2 pi). spin = 0 means 3. Throws
/// InputError for nlat < 1 or spin < 0.
RingGrid make_reduced_gauss(Index nlat, Index spin = 0, double phi0 = 0);

/// Equidistant colatitudes, nphi pixels per ring starting at phi0 [rad], i = 0 .. nlat - 1:
///   rule    theta_i                    nphi = 0 means  name
///   cc      i pi / (nlat - 1)          2 nlat - 2      Clenshaw-Curtis, both poles
///   f1      (i + 1/2) pi / nlat        2 nlat          Fejer's first rule
///   f2      (i + 1) pi / (nlat + 1)    nlat + 1        Fejer's second rule
///   mw      (2 i + 1) pi / (2 nlat - 1)  2 nlat - 1    McEwen & Wiaux 2011, with the south pole
///   mwflip  2 i pi / (2 nlat - 1)      2 nlat - 1      its mirror image, with the north pole
///   dh      i pi / nlat                nlat            Driscoll & Healy 1994, with the north pole
/// Weights make the sum over rings exact for cos(k theta), k < nlat (dh: k < nlat - 1). Throws InputError for an
/// unknown rule, nlat < 1 (cc and dh: < 2) or nphi < 0.
RingGrid make_equiangular(const std::string& rule, Index nlat, Index nphi, double phi0 = 0);

/// Rings of the Gauss grid of an even number nlat, 16 + 4 i pixels on the i-th ring from either pole, i = 1 .. nlat /
/// 2: the octahedral reduced Gaussian grid of weather models (Malardel et al. 2016), called O(nlat / 2) there. Its
/// quadrature is that of the Gauss grid; near the poles only m up to 7 + 2 i are distinguished. Throws InputError if
/// nlat is odd or < 2.
RingGrid make_octahedral(Index nlat);

/// A grid of given rings: theta and phi0 [rad], nphi, and weight [sr] of each whole ring, or no weights. `source` is
/// the name of the file in messages, which refer to datasets of its group `grid`. Throws InputError for lengths that
/// differ, theta that is not ascending or outside [0, pi], nphi < 1 or beyond 2^31 - 1, and non-finite values.
RingGrid make_rings(std::span<const double> theta, std::span<const double> phi0, std::span<const Index> nphi,
                    std::span<const double> weight, const std::string& source);

/// A longitude reduced to [0, 2 pi).
double normalised_longitude(double phi);

/// The number of rings of make_grid(description), without creating the grid. Throws InputError for HEALPix of nside
/// outside 1 .. 2^29.
Index ring_count(const GridDescription& description);

/// The grid, or part of a grid, with this description. `rings` grids cannot be created from their description alone.
RingGrid make_grid(const GridDescription& description);

/// A parameter of a kind of grid: its key in jobs and files, and the member with its value, which is a positive integer
/// or a real number.
struct GridKey {
  std::string name;                         ///< the key
  Index GridDescription::*whole = nullptr;  ///< for an integer
  double GridDescription::*real = nullptr;  ///< for a real number
};

/// One row per kind of grid with parameters, or per rule of kinds with rules. Property tests, job language, benchmarks
/// and files use these rows.
struct GridKind {
  std::string kind;                       ///< see GridDescription::kind
  std::string rule;                       ///< rule; may be empty
  std::vector<GridKey> keys;              ///< the first key is required
  std::vector<GridDescription> examples;  ///< small examples, for tests
  std::string help;                       ///< one-line description
};
/// All rows.
std::span<const GridKind> grid_kinds();

/// The row of a kind and rule, or null.
const GridKind* find_grid_kind(const std::string& kind, const std::string& rule);

/// Names of the kinds, each once.
std::vector<std::string> grid_kind_names();
/// Names of the rules of a kind.
std::vector<std::string> grid_rules(const std::string& kind);

}  // namespace armilla::grid

#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>

#include <cstdint>
#include <vector>

/// @file
/// Random coefficients, spectra and norms.

namespace armilla {

/// Fills coefficients with Gaussian random numbers with the given spectra. Map i of the field is realisation first_map
/// + i of `seed`. Not collective. A coefficient depends on seed, realisation, l, m and component only, not on ranks,
/// threads or lmax. Components without a cross spectrum are uncorrelated; degrees below the spin are 0. Throws
/// InputError if the spectra end below lmax, an auto spectrum is missing, or the matrix of spectra of some l is not
/// positive semi-definite.
template <class T>
void random_alm(Alm<T>& field, const SpectraTable& spectra, std::uint64_t seed, Index first_map = 0);

/// Collective. Spectra of map `map`: C_l = 1/(2 l + 1) sum over m of |a_lm|^2, and those of all pairs of components,
/// with names such as TT, EE, BB, TE. The same on all ranks. Throws InputError if there is no such map.
template <class T>
SpectraTable spectra(const Alm<T>& field, Index map = 0);

/// Collective. Rms of the difference of two fields divided by that of `reference`, for each component of map `map`,
/// over all (l, m) including negative m; the absolute rms if the reference is 0. The same on all ranks. Throws
/// InputError if the fields differ in components, layout or ranks, or there is no such map.
template <class T>
std::vector<double> relative_error(const Alm<T>& value, const Alm<T>& reference, Index map = 0);

/// Collective. For each map, the sum over all components of the products of two fields: a conj(b) over l and all m,
/// also negative, which is real; a b over pixels. The same on all ranks, and bitwise identical for any number of ranks
/// and threads, so that solvers of a program take the same steps. Throws InputError if the fields differ in components,
/// maps, layout or grid, or ranks.
template <class T>
std::vector<double> inner_products(const Alm<T>& a, const Alm<T>& b);
/// Overload for maps.
template <class T>
std::vector<double> inner_products(const Map<T>& a, const Map<T>& b);

}  // namespace armilla

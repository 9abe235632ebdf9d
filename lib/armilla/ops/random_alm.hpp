#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/transform/field.hpp>

#include <cstdint>
#include <span>

namespace armilla::ops {

/// Not collective. Gaussian coefficients with the given spectra. Each (seed, map, l, m, component) is drawn separately
/// by a counter-based generator (Philox 4x32-10, Salmon et al. 2011), independent of ranks, threads, lmax and mmax.
/// Components are correlated by the Cholesky factor of the matrix of C_l for each l; pairs missing from `spectra` are
/// uncorrelated. Degrees below the spin of a component are zero. `first_map` is the index of the first map of the
/// batch. Throws InputError if spectra end below lmax, an auto spectrum is missing, or the matrix of some l is not
/// positive semi-definite.
template <class T>
void random_alm(transform::AlmField<T>& alm, const alm::SpectraTable& spectra, std::uint64_t seed,
                core::Index first_map = 0);
/// Version with one table for all maps, or one for each.
template <class T>
void random_alm(transform::AlmField<T>& alm, std::span<const alm::SpectraTable> spectra, std::uint64_t seed,
                core::Index first_map = 0);

}  // namespace armilla::ops

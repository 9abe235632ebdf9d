#pragma once

#include <armilla/dist/distribution.hpp>

#include <span>
#include <vector>

namespace armilla::dist {

/// Work of a ring of `nphi` pixels (its FFT and the packing of its m), which PixelDistribution balances: about n (4 +
/// log2(n + 1)), from operations that round identically on all processors.
double ring_work(Index nphi);

/// For each multiple of m_step up to mmax, the first of the pairs with these `cuts`, [pair], whose cut is at least m.
/// Ascending; the number of pairs if there is none.
std::vector<Index> first_pairs(std::span<const Index> cuts, Index mmax, Index m_step);

/// For each multiple of alm.m_step() up to mmax, the first pair of the grid to which it contributes (polar_cut); joined
/// pairs have the same value. Ascending; the number of pairs if there is none.
std::vector<Index> first_pairs(const AlmDistribution& alm, const RingGrid& grid, Index spin);

}  // namespace armilla::dist

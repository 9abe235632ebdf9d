#include <armilla/alm/alm_layout.hpp>
#include <armilla/core/error.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::alm {

namespace {

// Far above the degrees of transforms. Sizes and offsets, also in bytes of several fields, stay below 2^63.
constexpr Index kLargestDegree = Index{1} << 24;

}  // namespace

AlmLayout::AlmLayout(Index lmax, Index mmax) : lmax_(lmax), mmax_(mmax) {
  if (lmax < 0) throw core::InputError(fmt::format("lmax = {} is negative: use lmax >= 0", lmax));
  if (lmax > kLargestDegree)
    throw core::InputError(fmt::format("lmax = {} exceeds 2^24 = {}: use a smaller lmax", lmax, kLargestDegree));
  if (mmax < 0 || mmax > lmax)
    throw core::InputError(fmt::format("mmax = {} is outside 0 .. lmax = {}: lower mmax or raise lmax", mmax, lmax));
}

Index AlmLayout::lmax_of_size(Index size) {
  if (size < 1 || size > AlmLayout(kLargestDegree, kLargestDegree).size()) return -1;
  const auto guess = static_cast<Index>((std::sqrt(8.0 * static_cast<double>(size) + 1.0) - 3.0) / 2.0);
  for (Index lmax = guess > 0 ? guess - 1 : 0; lmax <= guess + 1; ++lmax)
    if ((lmax + 1) * (lmax + 2) / 2 == size) return lmax;
  return -1;
}

}  // namespace armilla::alm

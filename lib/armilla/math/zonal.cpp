#include <armilla/math/zonal.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace armilla::math {

using core::Index;

// Calls step(l / 2, sqrt(2 l + 1), P_l at places first .. first + kBlock - 1; P_0 behind the last one).
template <class Real>
template <class Step>
void EvenZonal<Real>::for_each_row(std::size_t first, Step&& step) const {
  std::array<Real, kBlock> x{};
  std::array<Real, kBlock> even{};
  std::array<Real, kBlock> odd{};
  std::copy_n(x_.begin() + static_cast<std::ptrdiff_t>(first), std::min(kBlock, x_.size() - first), x.begin());
  even.fill(Real(1));
  odd = x;
  for (Index row = 0; row < rows_; ++row) {
    step(row, std::sqrt(static_cast<Real>(4 * row + 1)), even);
    // (l + 1) P_{l+1} = (2 l + 1) x P_l - l P_{l-1}, for l = 2 row + 1, then for l = 2 row + 2.
    const auto advance = [&](Index l, const std::array<Real, kBlock>& here, std::array<Real, kBlock>& last) {
      const Real a = static_cast<Real>(2 * l + 1) / static_cast<Real>(l + 1);
      const Real b = static_cast<Real>(l) / static_cast<Real>(l + 1);
      for (std::size_t i = 0; i < kBlock; ++i) last[i] = a * x[i] * here[i] - b * last[i];
    };
    advance(2 * row + 1, odd, even);
    advance(2 * row + 2, even, odd);
  }
}

template <class Real>
void EvenZonal<Real>::apply(std::span<const Real> values, std::span<Real> sums) const {
  std::ranges::fill(sums, Real(0));
  for (std::size_t first = 0; first < x_.size(); first += kBlock) {
    std::array<Real, kBlock> own{};
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), std::min(kBlock, x_.size() - first), own.begin());
    for_each_row(first, [&](Index row, Real norm, const std::array<Real, kBlock>& p) {
      Real sum = 0;
      for (std::size_t i = 0; i < kBlock; ++i) sum += p[i] * own[i];
      sums[static_cast<std::size_t>(row)] += norm * sum;
    });
  }
}

template <class Real>
void EvenZonal<Real>::apply_transposed(std::span<const Real> coefficients, std::span<Real> values) const {
  for (std::size_t first = 0; first < x_.size(); first += kBlock) {
    std::array<Real, kBlock> own{};
    for_each_row(first, [&](Index row, Real norm, const std::array<Real, kBlock>& p) {
      const Real c = norm * coefficients[static_cast<std::size_t>(row)];
      for (std::size_t i = 0; i < kBlock; ++i) own[i] += c * p[i];
    });
    std::copy_n(own.begin(), std::min(kBlock, x_.size() - first), values.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

template class EvenZonal<double>;
template class EvenZonal<long double>;

}  // namespace armilla::math

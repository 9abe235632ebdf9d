#include <armilla/core/instantiate.hpp>
#include <armilla/core/types.hpp>
#include <armilla/nufft/kernel_table.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace armilla::nufft {

using core::at;
using core::Index;

namespace {

// Coefficients of ascending powers of z for the polynomial that interpolates `values` at z_i = cos(pi (i + 1/2) / n).
// Uses long double, because the coefficients of Chebyshev polynomials grow like 2.4^n.
std::vector<long double> interpolating_powers(const std::vector<long double>& values) {
  const std::size_t n = values.size();
  const auto count = static_cast<long double>(n);
  std::vector<long double> powers(n, 0), last(n, 0), current(n, 0);
  current[0] = 1;  // T_0
  for (std::size_t k = 0; k < n; ++k) {
    long double share = 0;
    for (std::size_t i = 0; i < n; ++i)
      share += values[i] * std::cos(std::numbers::pi_v<long double> * static_cast<long double>(k) *
                                    (static_cast<long double>(i) + 0.5L) / count);
    share *= (k == 0 ? 1 : 2) / count;
    for (std::size_t i = 0; i < n; ++i) powers[i] += share * current[i];
    // T_{k+1} = 2 z T_k - T_{k-1}, T_1 = z.
    std::vector<long double> next(n, 0);
    for (std::size_t i = 0; i < n; ++i)
      next[i] = (i > 0 ? (k == 0 ? 1 : 2) * current[i - 1] : 0) - (k == 0 ? 0 : last[i]);
    last = current;
    current = next;
  }
  return powers;
}

}  // namespace

template <class T>
KernelTable<T>::KernelTable(const math::SpreadKernel& kernel) : width_(kernel.width()) {
  const Index terms = polynomial_terms(width_), count = 2 * terms;
  for (int j = 0; j < (width_ + 1) / 2; ++j) {
    std::vector<long double> values;
    for (Index i = 0; i < count; ++i) {
      const long double z = std::cos(std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.5L) /
                                     static_cast<long double>(count));
      values.push_back(kernel.value(static_cast<double>(0.5L * (z + 1 - width_) + j)));
    }
    const std::vector<long double> powers = interpolating_powers(values);
    // The middle piece of an odd width is even.
    const bool is_even = 2 * j == width_ - 1;
    for (Index term = terms - 1; term >= 0; --term) {
      coefficients_.push_back(static_cast<T>(powers[at(2 * term)]));
      coefficients_.push_back(is_even ? T(0) : static_cast<T>(powers[at(2 * term + 1)]));
    }
  }
}

template <class T>
T KernelTable<T>::value(int j, T z) const {
  const bool is_mirrored = j >= (width_ + 1) / 2;
  const Index terms = polynomial_terms(width_);
  const T* c = coefficients() + 2 * terms * (is_mirrored ? width_ - 1 - j : j);
  T even = 0, odd = 0;
  for (Index term = 0; term < terms; ++term) {
    even = even * z * z + c[2 * term];
    odd = odd * z * z + c[2 * term + 1];
  }
  return is_mirrored ? even - z * odd : even + z * odd;
}

ARMILLA_INSTANTIATE_CLASS(KernelTable);

}  // namespace armilla::nufft

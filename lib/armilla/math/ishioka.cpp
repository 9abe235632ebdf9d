#include <armilla/math/ishioka.hpp>

namespace armilla::math {

void IshiokaTable::set(Index m_, Index lmax_) {
  m = m_;
  lmax = lmax_;
  const auto mm = static_cast<double>(m) * static_cast<double>(m);
  eps.resize(static_cast<std::size_t>(lmax - m + 5));
  for (std::size_t i = 0; i < eps.size(); ++i) {
    const auto l = static_cast<double>(m + static_cast<Index>(i));
    eps[i] = std::sqrt((l * l - mm) / (4 * l * l - 1));
  }
  if (m == 0) eps[0] = 0;  // (0 - 0) / -1 would be a negative zero
  const auto count = static_cast<std::size_t>(steps());
  alpha.resize(count + 1);
  ab.resize(2 * count);
  ab_polar.resize(2 * count);
  alpha[0] = 1 / eps[1];
  alpha[1] = 1;  // free
  for (std::size_t k = 1; k < count; ++k)
    alpha[k + 1] = -alpha[k - 1] * (eps[2 * k] * eps[2 * k + 1]) / (eps[2 * k + 2] * eps[2 * k + 3]);
  for (std::size_t k = 0; k < count; ++k) {
    const double a = alpha[k] / (alpha[k + 1] * eps[2 * k + 2] * eps[2 * k + 3]);
    ab[2 * k] = a;
    const double square = eps[2 * k + 1] * eps[2 * k + 1] + eps[2 * k + 2] * eps[2 * k + 2];
    ab[2 * k + 1] = -a * square;
    ab_polar[2 * k] = a;
    ab_polar[2 * k + 1] = a * (1 - square);
  }
}

void IshiokaTable::transform(std::span<const std::complex<double>> c, double* out, Index stride) const {
  const auto n = c.size();
  for (std::size_t k = 0; k < static_cast<std::size_t>(steps()); ++k, out += stride) {
    const std::complex<double> above = 2 * k + 2 < n ? c[2 * k + 2] : 0.0;
    const std::complex<double> odd = 2 * k + 1 < n ? c[2 * k + 1] : 0.0;
    const double low = alpha[k] * eps[2 * k + 1];
    const double high = alpha[k] * eps[2 * k + 2];
    out[0] = low * c[2 * k].real() + high * above.real();
    out[1] = low * c[2 * k].imag() + high * above.imag();
    out[2] = alpha[k] * odd.real();
    out[3] = alpha[k] * odd.imag();
  }
}

void IshiokaTable::transpose(const double* sums, Index stride, std::span<std::complex<double>> c) const {
  std::complex<double> below = 0;  // alpha_{k-1} eps_l times the even sum of k - 1
  for (std::size_t k = 0; k < static_cast<std::size_t>(steps()); ++k, sums += stride) {
    const std::complex<double> even(sums[0], sums[1]);
    c[2 * k] = alpha[k] * eps[2 * k + 1] * even + below;
    below = alpha[k] * eps[2 * k + 2] * even;
    if (2 * k + 1 < c.size()) c[2 * k + 1] = alpha[k] * std::complex<double>(sums[2], sums[3]);
  }
}

}  // namespace armilla::math

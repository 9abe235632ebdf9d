#include <armilla/math/spin_bands.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace armilla::math {

void SpinBands::set(Index spin, Index m, Index lmax) {
  abs_m_ = std::abs(m);
  bands_.resize(static_cast<std::size_t>(spin));
  for (Index level = 0; level < spin; ++level) {
    Band& band = bands_[static_cast<std::size_t>(level)];
    const auto s = static_cast<double>(spin - level);
    const auto mm = static_cast<double>(m);
    band.lowest = std::max(abs_m_, spin - level);
    band.lmax = lmax + level;
    const auto size = static_cast<std::size_t>(band.lmax + 1);
    band.a.assign(size, 0);
    band.b.assign(size, 0);
    band.c.assign(size, 0);
    for (Index i = band.lowest; i <= band.lmax; ++i) {
      const auto l = static_cast<double>(i);
      const auto at = static_cast<std::size_t>(i);
      band.a[at] =
          std::sqrt(((l + 1 - mm) * (l + 1 + mm)) * ((l - s + 1) * (l - s + 2)) / ((2 * l + 1) * (2 * l + 3))) /
          (l + 1);
      band.b[at] = mm * std::sqrt((l + s) * (l - s + 1)) / (l * (l + 1));
      band.c[at] = std::sqrt(((l - mm) * (l + mm)) * ((l + s) * (l + s - 1)) / ((2 * l - 1) * (2 * l + 1))) / l;
    }
  }
}

void SpinBands::lower(std::vector<Complex>& c) const {
  for (const Band& band : bands_) {
    Complex below = 0;  // c_{l-1} of the level above, before it was overwritten
    for (Index l = std::max(abs_m_, band.lowest - 1); l <= band.lmax + 1; ++l) {
      const auto at = static_cast<std::size_t>(l);
      const bool inside = l >= band.lowest && l <= band.lmax;
      const Complex here = inside ? c[at] : Complex(0);
      Complex sum = 0;
      if (l - 1 >= band.lowest) sum -= band.a[at - 1] * below;
      if (inside) sum += band.b[at] * here;
      if (l + 1 >= band.lowest && l + 1 <= band.lmax) sum += band.c[at + 1] * c[at + 1];
      below = here;
      c[at] = sum;
    }
  }
}

void SpinBands::raise(std::vector<Complex>& c) const {
  for (auto band = bands_.rbegin(); band != bands_.rend(); ++band) {
    const Index first = std::max(abs_m_, band->lowest - 1);  // degrees of the level below
    Complex below = first < band->lowest ? c[static_cast<std::size_t>(first)] : Complex(0);
    for (Index l = band->lowest; l <= band->lmax; ++l) {
      const auto at = static_cast<std::size_t>(l);
      const Complex here = c[at];
      Complex sum = -band->a[at] * c[at + 1] + band->b[at] * here;
      if (l - 1 >= first) sum += band->c[at] * below;
      below = here;
      c[at] = sum;
    }
  }
}

}  // namespace armilla::math

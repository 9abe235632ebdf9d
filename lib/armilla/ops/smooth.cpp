#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/ops/smooth.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace armilla::ops {

template <class T>
void smooth(transform::AlmField<T>& alm, double fwhm) {
  using core::Index;
  if (!(fwhm >= 0)) throw core::InputError(fmt::format("smooth: a beam of {} rad is not valid: use fwhm >= 0", fwhm));
  const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
  const Index lmax = alm.distribution().layout().lmax();
  for (const transform::SpinField& spin_field : alm.kind().spin_fields()) {
    std::vector<double> window;
    for (Index l = 0; l <= lmax; ++l) {
      const auto exponent = static_cast<double>(l * (l + 1) - spin_field.spin * spin_field.spin);
      window.push_back(std::exp(-exponent * sigma * sigma / 2));
    }
    transform::multiply_degrees<T>(alm, spin_field.first, spin_field.components, window);
  }
}

ARMILLA_INSTANTIATE(smooth);

}  // namespace armilla::ops

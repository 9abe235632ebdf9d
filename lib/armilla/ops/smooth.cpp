#include <armilla/core/error.hpp>
#include <armilla/ops/smooth.hpp>

#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace armilla::ops {

template <class T>
void smooth(transform::AlmField<T>& alm, double fwhm) {
  using core::Index;
  if (!(fwhm >= 0))
    throw core::InputError(fmt::format("smooth: a beam of {} rad has no meaning: give fwhm >= 0", fwhm));
  const double sigma = fwhm / std::sqrt(8 * std::log(2.0));
  const Index lmax = alm.distribution().layout().lmax();
  for (const transform::FieldPart& part : alm.kind().parts()) {
    std::vector<double> window;
    for (Index l = 0; l <= lmax; ++l) {
      const auto exponent = static_cast<double>(l * (l + 1) - part.spin * part.spin);
      window.push_back(std::exp(-exponent * sigma * sigma / 2));
    }
    transform::multiply_degrees<T>(alm, part.first, part.components, window);
  }
}

template void smooth<float>(transform::AlmField<float>&, double);
template void smooth<double>(transform::AlmField<double>&, double);

}  // namespace armilla::ops

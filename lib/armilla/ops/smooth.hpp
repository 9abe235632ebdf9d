#pragma once

#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Multiplies in place by the window of a Gaussian beam of full width at half maximum `fwhm` [rad]:
/// exp(-(l (l + 1) - s^2) sigma^2 / 2), s the spin of each spin field (Challinor et al. 2000), where the
/// coefficients stand. Not collective.
template <class T>
void smooth(transform::AlmField<T>& alm, double fwhm);

}  // namespace armilla::ops

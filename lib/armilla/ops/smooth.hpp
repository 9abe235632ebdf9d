#pragma once

#include <armilla/transform/field.hpp>

namespace armilla::ops {

/// Not collective. Multiplies the coefficients in place by the window of a Gaussian beam with full width at half
/// maximum `fwhm` [rad]: exp(-(l (l + 1) - s^2) sigma^2 / 2), where s is the spin of each field (Challinor et al.
/// 2000).
template <class T>
void smooth(transform::AlmField<T>& alm, double fwhm);

}  // namespace armilla::ops

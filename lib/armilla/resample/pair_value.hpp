#pragma once

#include <complex>

namespace armilla::resample {

/// Delta_m on the two rings of a north-south pair, as four adjacent doubles that fit in one vector.
struct alignas(32) PairValue {
  double part[4];  ///< north real, north imaginary, south real, south imaginary

  std::complex<double> north() const { return {part[0], part[1]}; }
  std::complex<double> south() const { return {part[2], part[3]}; }
};

}  // namespace armilla::resample

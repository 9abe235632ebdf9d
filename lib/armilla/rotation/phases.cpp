#include <armilla/rotation/phases.hpp>

#include <cmath>
#include <complex>

namespace armilla::rotation {

namespace {

using LongComplex = std::complex<long double>;

constexpr Index kPadding = 16;
constexpr Index kFine = 64;

LongComplex unit(long double angle) { return {std::cos(angle), -std::sin(angle)}; }

LongComplex product(LongComplex a, LongComplex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// (-i)^n z.
LongComplex turned(LongComplex z, Index n) {
  switch (n & 3) {
    case 0:
      return z;
    case 1:
      return {z.imag(), -z.real()};
    case 2:
      return {-z.real(), -z.imag()};
    default:
      return {-z.imag(), z.real()};
  }
}

}  // namespace

Phases make_phases(long double angle, int quarters, Index lmax, PhaseSign sign) {
  const auto room = static_cast<std::size_t>(lmax + 1 + kPadding);
  Phases phases;
  phases.cosine.assign(room, 0.0);
  phases.minus_sine.assign(room, 0.0);
  // Computed as products of the phases of multiples of kFine and of the remainder.
  LongComplex fine[kFine];
  for (Index j = 0; j < kFine; ++j) fine[j] = unit(static_cast<long double>(j) * angle);
  for (Index first = 0; first <= lmax; first += kFine) {
    const LongComplex coarse = unit(static_cast<long double>(first) * angle);
    for (Index m = first; m <= lmax && m < first + kFine; ++m) {
      LongComplex phase = turned(product(coarse, fine[m - first]), m * quarters);
      if (sign == PhaseSign::kPairs && (m & 2) != 0) phase = -phase;
      phases.cosine[static_cast<std::size_t>(m)] = static_cast<double>(phase.real());
      phases.minus_sine[static_cast<std::size_t>(m)] = static_cast<double>(phase.imag());
    }
  }
  return phases;
}

}  // namespace armilla::rotation

#include <armilla/radial/ring_store.hpp>

#include <algorithm>

namespace armilla::radial {

using core::at;

namespace {

using Complex = std::complex<double>;
constexpr Index kTile = fft::UnitTable::kLow;

// The product without the checks for infinities that the standard's makes.
Complex product(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(i m phi0) by the tables of the ring.
Complex phase_of(const fft::RingPhase<double>& phase, Index m) {
  const Index low = m % kTile;
  return product({phase.low_re()[low], phase.low_im()[low]}, phase.high(m / kTile));
}

/// How many of `count` modes a ring carries.
Index carried(const grid::Ring& ring, Index count, bool truncate) {
  return truncate ? std::min(count, (ring.nphi - 1) / 2 + 1) : count;
}

bool same_length(const grid::Ring* const (&rings)[2]) {
  return rings[0] != nullptr && rings[1] != nullptr && rings[0]->nphi == rings[1]->nphi;
}

/// Modes of the real (part 0) or imaginary (1) part of the numbers whose transform is in work.out.
void split_modes(const grid::Ring& ring, int part, Index count, bool truncate, fft::Split<double> modes,
                 RingWork& work) {
  const Index n = ring.nphi, end = carried(ring, count, truncate);
  const Complex* z = work.out.data();
  work.phase.set(ring.phi0, count);
  Index k = 0;
  for (Index m = 0; m < end; ++m) {
    const Complex a = z[k], b = std::conj(z[k == 0 ? 0 : n - k]);
    const Complex sum = a + b, difference = a - b;
    const Complex x = part == 0 ? 0.5 * sum : Complex(0.5 * difference.imag(), -0.5 * difference.real());
    const Complex turned = product(x, std::conj(phase_of(work.phase, m)));
    modes.re[m] = turned.real();
    modes.im[m] = turned.imag();
    if (++k == n) k = 0;
  }
  std::fill(modes.re + end, modes.re + count, 0.0);
  std::fill(modes.im + end, modes.im + count, 0.0);
}

/// Adds modes to work.in, in the order in which the transform forward is the one back, times `unit`.
void join_modes(const grid::Ring& ring, Complex unit, Index count, bool truncate, fft::Split<double> modes,
                RingWork& work) {
  const Index n = ring.nphi, end = carried(ring, count, truncate);
  Complex* z = work.in.data();
  work.phase.set(ring.phi0, count);
  Index k = 0;  // m modulo n
  for (Index m = 0; m < end; ++m) {
    const Complex y = product({modes.re[m], modes.im[m]}, phase_of(work.phase, m));
    const Index mirror = k == 0 ? 0 : n - k;
    if (m == 0) {
      z[0] += product(unit, y);
    } else {
      z[mirror] += product(unit, y);
      z[k] += product(unit, std::conj(y));
    }
    if (++k == n) k = 0;
  }
}

}  // namespace

Index RingStore::Sizes::bytes() const {
  return places * fields * 2 * (pixels + 2 * modes) * static_cast<Index>(sizeof(double));
}

RingStore::RingStore(const Sizes& sizes)
    : sizes_(sizes),
      held_(at(sizes.places), Index{-1}),
      pixels_(sizes.places * sizes.fields * 2 * sizes.pixels),
      modes_(sizes.places * sizes.fields * 4 * sizes.modes) {}

void RingStore::transform(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                          const double* const (&x)[2], Index count, bool truncate, const fft::Split<double> (&modes)[2],
                          RingWork& work) {
  const bool together = same_length(rings);
  for (int h = 0; h < 2; ++h) {
    if (rings[h] == nullptr || (together && h == 1)) continue;
    const Index n = rings[h]->nphi;
    for (Index j = 0; j < n; ++j) work.in.data()[j] = {x[h][j], together ? x[1][j] : 0};
    plans.at(n).forward(work.in.data(), work.out.data(), work.fft);
    split_modes(*rings[h], 0, count, truncate, modes[h], work);
    if (together) split_modes(*rings[1], 1, count, truncate, modes[1], work);
  }
}

void RingStore::transform_back(const fft::PlanCache<double>& plans, const grid::Ring* const (&rings)[2],
                               const fft::Split<double> (&modes)[2], Index count, bool truncate, double* const (&y)[2],
                               RingWork& work) {
  const bool together = same_length(rings);
  for (int h = 0; h < 2; ++h) {
    if (rings[h] == nullptr || (together && h == 1)) continue;
    const Index n = rings[h]->nphi;
    std::fill_n(work.in.data(), n, Complex(0));
    join_modes(*rings[h], 1, count, truncate, modes[h], work);
    if (together) join_modes(*rings[1], {0, 1}, count, truncate, modes[1], work);
    plans.at(n).forward(work.in.data(), work.out.data(), work.fft);
    for (Index j = 0; j < n; ++j) {
      y[h][j] = work.out.data()[j].real();
      if (together) y[1][j] = work.out.data()[j].imag();
    }
  }
}

}  // namespace armilla::radial

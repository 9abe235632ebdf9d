#include <armilla/legendre/ring_values.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/wigner_vectors.hpp>
#include <armilla/math/spin.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::legendre {

namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// value * 2^(kScaleBits scale) with scale <= 0; what is below 2^-70 gets a negative scale.
void split(math::Extended<long double> start, double& value, double& scale) {
  start = start.normalised();
  const Index down = start.mantissa == 0 || start.exponent >= -70 ? 0 : (start.exponent - kScaleBits + 1) / kScaleBits;
  value = static_cast<double>(std::ldexp(start.mantissa, static_cast<int>(start.exponent - down * kScaleBits)));
  scale = static_cast<double>(down);
}

HalfFactors as_they_are(Index) { return {1.0, 1.0}; }

}  // namespace

template <class T>
WignerKernelTask WignerVectors<T>::prepare(Index k, Index begin, Index end, const StepTable<double>& table,
                                           WignerWorkspace& work) const {
  const Index m = task_.m[at(k)];
  const Index padded = (end - begin + kPairPadding - 1) / kPairPadding * kPairPadding;
  for (auto* array : {&work.one_minus_cos, &work.start_plus, &work.start_minus, &work.scale_plus, &work.scale_minus})
    array->resize(at(padded));
  const auto norm = math::wigner_start_norm(task_.spin, m);
  for (Index i = 0; i < padded; ++i) {
    const Index pair = std::min(begin + i, end - 1);
    const auto half = math::HalfAngle<long double>::from(task_.cos_theta[at(pair)], task_.sin_theta[at(pair)]);
    work.one_minus_cos[at(i)] = static_cast<double>(half.one_minus_cos);
    split(math::wigner_start(task_.spin, m, norm, half), work.start_plus[at(i)], work.scale_plus[at(i)]);
    split(math::wigner_start(-task_.spin, m, norm, half), work.start_minus[at(i)], work.scale_minus[at(i)]);
  }
  const Index steps = std::max<Index>(0, task_.lmax - table.lowest + 1);
  work.coefficients.resize(at(steps * task_.width() * 2));
  work.halves.resize(at(padded * task_.width() * 4));
  return {.steps = steps,
          .maps = task_.maps,
          .pairs = padded,
          .first_parity = math::parity(table.lowest, m, task_.spin),
          .spin_sign = task_.spin % 2 == 0 ? 1 : -1,
          .table = table.steps.data(),
          .one_minus_cos = work.one_minus_cos.data(),
          .start_plus = work.start_plus.data(),
          .start_minus = work.start_minus.data(),
          .scale_plus = work.scale_plus.data(),
          .scale_minus = work.scale_minus.data()};
}

template <class T>
void WignerVectors<T>::synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta,
                                  WignerWorkspace& work) const {
  const StepTable<double> table(task_.spin, task_.m[at(k)], task_.lmax);
  const WignerKernelTask kernel = prepare(k, begin, end, table, work);
  for (Index map = 0; map < task_.maps; ++map) {
    const Complex* e = alm + map * task_.map_stride + task_.alm_offset[at(k)];
    const Complex* b = e + task_.component_stride;
    for (Index step = 0; step < kernel.steps; ++step) {
      const Index l = table.lowest + step;
      double* c = &work.coefficients[at(4 * (step * task_.maps + map))];
      c[0] = e[l].real();
      c[1] = e[l].imag();
      c[2] = b[l].real();
      c[3] = b[l].imag();
    }
  }
  wigner_synthesis(kernel, work.coefficients.data(), work.halves.data());
  unpack_halves(task_, k, begin, end, kernel.pairs, work.halves.data(), as_they_are, delta);
}

template <class T>
void WignerVectors<T>::adjoin(Index k, Index begin, Index end, const Complex* delta,
                              std::vector<std::complex<double>>& sums, WignerWorkspace& work) const {
  const StepTable<double> table(task_.spin, task_.m[at(k)], task_.lmax);
  const WignerKernelTask kernel = prepare(k, begin, end, table, work);
  pack_halves(task_, k, begin, end, kernel.pairs, delta, as_they_are, work.halves.data());
  wigner_adjoint(kernel, work.halves.data(), work.coefficients.data(), work.lanes);
  for (Index step = 0; step < kernel.steps; ++step)
    for (Index map = 0; map < task_.maps; ++map) {
      const double* c = &work.coefficients[at(4 * (step * task_.maps + map))];
      std::complex<double>* out = &sums[at(step * task_.width())];
      out[map] += std::complex<double>(c[0], c[1]);
      out[task_.maps + map] += std::complex<double>(c[2], c[3]);
    }
}

template class WignerVectors<float>;
template class WignerVectors<double>;

}  // namespace armilla::legendre

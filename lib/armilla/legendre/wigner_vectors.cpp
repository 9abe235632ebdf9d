#include <armilla/core/instantiate.hpp>
#include <armilla/legendre/scalar_kernel.hpp>
#include <armilla/legendre/wigner_vectors.hpp>
#include <armilla/math/spin.hpp>

#include <algorithm>

namespace armilla::legendre {

namespace {

using core::at;

std::vector<double> ones(Index count) { return std::vector<double>(at(count), 1.0); }

}  // namespace

template <class T>
WignerVectors<T>::WignerVectors(Task task, Index pairs)
    : task_(task),
      runs_(task, ones(task.pairs()), ones(task.pairs())),
      starts_(task.spin, task.cos_theta.first(at(pairs)), task.sin_theta.first(at(pairs)),
              task.m.empty() ? 0 : task.m.back()) {
  for (Index p = 0; p < pairs; ++p)
    one_minus_cos_.push_back(static_cast<double>(
        math::HalfAngle<long double>::from(task_.cos_theta[at(p)], task_.sin_theta[at(p)]).one_minus_cos));
}

template <class T>
WignerKernelTask WignerVectors<T>::prepare(Index k, Index begin, Index end, WignerWorkspace& work) const {
  const Index m = task_.m[at(k)];
  const Index lowest = math::lowest_degree(task_.spin, m);
  rising_steps(task_.spin, m, std::max<Index>(0, task_.lmax - lowest), work.table);

  const Index pairs = end - begin;
  const Index padded = (pairs + kPairPadding - 1) / kPairPadding * kPairPadding;
  for (auto* array : {&work.one_minus_cos, &work.start_plus, &work.start_minus, &work.scale_plus, &work.scale_minus})
    array->resize(at(padded));
  std::copy_n(one_minus_cos_.begin() + begin, pairs, work.one_minus_cos.begin());
  starts_.get(m, 1, begin, pairs, work.start_plus.data(), work.scale_plus.data());
  if (task_.spin > 0) starts_.get(m, -1, begin, pairs, work.start_minus.data(), work.scale_minus.data());
  for (auto* array : {&work.one_minus_cos, &work.start_plus, &work.start_minus, &work.scale_plus, &work.scale_minus})
    std::fill(array->begin() + pairs, array->end(), (*array)[at(pairs - 1)]);

  const Index steps = std::max<Index>(0, task_.lmax - lowest + 1);
  work.coefficients.resize(at(steps * task_.width() * 2 + kPairPadding));
  work.halves.resize(at(padded * task_.width() * 4));
  return {.spin = task_.spin,
          .steps = steps,
          .maps = task_.maps,
          .pairs = padded,
          .first_parity = math::parity(lowest, m, task_.spin),
          .table = &work.table,
          .one_minus_cos = work.one_minus_cos.data(),
          .start_plus = work.start_plus.data(),
          .scale_plus = work.scale_plus.data(),
          .start_minus = work.start_minus.data(),
          .scale_minus = work.scale_minus.data()};
}

template <class T>
void WignerVectors<T>::synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta,
                                  WignerWorkspace& work) const {
  const WignerKernelTask kernel = prepare(k, begin, end, work);
  const Index lowest = task_.lmax + 1 - kernel.steps;
  const Index stride = 2 * task_.width();
  for (Index map = 0; map < task_.maps; ++map)
    for (Index component = 0; component < task_.components; ++component) {
      const Complex* a = task_.coefficients(alm, k, component, map) + lowest;
      double* c = work.coefficients.data() + 2 * (map * task_.components + component);
      for (Index step = 0; step < kernel.steps; ++step, c += stride) {
        c[0] = static_cast<double>(a[step].real());
        c[1] = static_cast<double>(a[step].imag());
      }
    }
  wigner_synthesis(kernel, work.coefficients.data(), work.halves.data());
  runs_.unpack(task_, k, {0, 1, task_.width()}, begin, end, kernel.pairs, work.halves.data(), delta);
}

template <class T>
void WignerVectors<T>::apply_adjoint(Index k, Index begin, Index end, const Complex* delta, Complex* alm,
                                     WignerWorkspace& work) const {
  const WignerKernelTask kernel = prepare(k, begin, end, work);
  runs_.pack(task_, k, {0, 1, task_.width()}, {begin, end, 0, kernel.pairs, kernel.pairs}, delta, work.halves.data());
  wigner_adjoint(kernel, work.halves.data(), work.coefficients.data(), work.lanes);
  const Index lowest = task_.lmax + 1 - kernel.steps;
  const double* c = work.coefficients.data();
  for (Index step = 0; step < kernel.steps; ++step)
    for (Index map = 0; map < task_.maps; ++map)
      for (Index component = 0; component < task_.components; ++component, c += 2)
        task_.coefficients(alm, k, component, map)[lowest + step] +=
            Complex(static_cast<T>(c[0]), static_cast<T>(c[1]));
}

ARMILLA_INSTANTIATE_CLASS(WignerVectors);

}  // namespace armilla::legendre

#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/legendre/ring_runs.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/legendre/wigner_kernel.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// Memory of one thread for WignerVectors.
struct WignerWorkspace {
  RisingSteps table;
  core::AlignedVector<double> one_minus_cos, start_plus, start_minus, scale_plus, scale_minus;
  core::AlignedVector<double> coefficients, halves, lanes;
};

/// One m of the Legendre stage by the Wigner recurrence of any spin, in double, vectorised to the width of the machine.
/// It covers the first `pairs` pairs of the task: the rings next to the poles, or all rings for high spins.
template <class T>
class WignerVectors {
 public:
  using Complex = std::complex<T>;

  WignerVectors(Task task, Index pairs);

  /// Computes Delta of the local m with index k at pairs begin .. end - 1; overwrites only these pairs.
  void synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta, WignerWorkspace& work) const;
  /// Adds the sums over the rings of these pairs to the coefficients of the local m with index k.
  void apply_adjoint(Index k, Index begin, Index end, const Complex* delta, Complex* alm, WignerWorkspace& work) const;

 private:
  WignerKernelTask prepare(Index k, Index begin, Index end, WignerWorkspace& work) const;

  Task task_;
  std::vector<double> one_minus_cos_;  ///< [pair]
  RingRuns runs_;
  WignerStartValues starts_;
};

}  // namespace armilla::legendre

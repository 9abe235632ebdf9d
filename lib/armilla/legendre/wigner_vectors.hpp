#pragma once

#include <armilla/legendre/pair_block.hpp>
#include <armilla/legendre/task.hpp>
#include <armilla/legendre/wigner_kernel.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// Memory of one thread for WignerVectors.
struct WignerWorkspace {
  std::vector<double> one_minus_cos, start_plus, start_minus, scale_plus, scale_minus;
  std::vector<double> coefficients, halves, lanes;
};

/// As WignerStage for spins > 0, in double and in vectors as wide as the machine has.
template <class T>
class WignerVectors {
 public:
  using Complex = std::complex<T>;

  explicit WignerVectors(Task task) : task_(task) {}

  /// Delta of own m number k at pairs begin .. end - 1; overwrites their places in delta.
  void synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta, WignerWorkspace& work) const;
  /// Sums over the rings of these pairs, [l - lowest degree][component, map], added to `sums`.
  void adjoin(Index k, Index begin, Index end, const Complex* delta, std::vector<std::complex<double>>& sums,
              WignerWorkspace& work) const;

 private:
  WignerKernelTask prepare(Index k, Index begin, Index end, const StepTable<double>& table,
                           WignerWorkspace& work) const;

  Task task_;
};

extern template class WignerVectors<float>;
extern template class WignerVectors<double>;

}  // namespace armilla::legendre

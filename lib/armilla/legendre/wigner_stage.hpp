#pragma once

#include <armilla/legendre/pair_block.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// One m of the Legendre stage by the Wigner recurrence, for any range of ring pairs. The reference engine uses it for
/// all pairs. Rings with sin(theta) below `near_pole` use long double, because rounding errors of double grow like l^2
/// eps / (l sin(theta)) there. Few m contribute to these rings, so this is a small part of the work.
template <class T>
class WignerStage {
 public:
  using Complex = std::complex<T>;

  WignerStage(Task task, double near_pole);

  /// Computes Delta of the local m with index k at pairs begin .. end - 1; overwrites only these pairs.
  void synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta) const;
  /// Adds the sums over the rings of these pairs, [l - lowest(k)][component, map], to `sums`.
  void apply_adjoint(Index k, Index begin, Index end, const Complex* delta,
                     std::vector<std::complex<double>>& sums) const;

  /// Lowest degree of the local m with index k, and the number of degrees from it to lmax: the rows of `sums`.
  Index lowest(Index k) const { return math::lowest_degree(task_.spin, task_.m[static_cast<std::size_t>(k)]); }
  Index degrees(Index k) const { return std::max<Index>(0, task_.lmax - lowest(k) + 1); }

 private:
  template <class Work>
  void over_pairs(Index k, Index begin, Index end, Work&& work) const;

  Task task_;
  Index near_pole_pairs_ = 0;
};

}  // namespace armilla::legendre

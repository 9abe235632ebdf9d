#pragma once

#include <armilla/legendre/pair_block.hpp>
#include <armilla/legendre/task.hpp>

#include <complex>
#include <vector>

namespace armilla::legendre {

/// One m of the Legendre stage by the Wigner recurrence, for any range of ring pairs: all the work of the reference
/// engine, and the rings next to the poles of the fast one. Rings with sin(theta) below `near_pole` run in long double:
/// roundings of double grow like l^2 eps / (l sin(theta)) there. They feel few m, so this is a small part of the work.
template <class T>
class WignerStage {
 public:
  using Complex = std::complex<T>;

  WignerStage(Task task, double near_pole);

  /// Delta of own m number k at pairs begin .. end - 1; overwrites their places in delta.
  void synthesise(Index k, Index begin, Index end, const Complex* alm, Complex* delta) const;
  /// Sums over the rings of these pairs, [l - lowest(k)][component, map], added to `sums`.
  void apply_adjoint(Index k, Index begin, Index end, const Complex* delta,
                     std::vector<std::complex<double>>& sums) const;

  /// Lowest degree of own m number k, and the number of degrees from there to lmax: rows of `sums`.
  Index lowest(Index k) const { return math::lowest_degree(task_.spin, task_.m[static_cast<std::size_t>(k)]); }
  Index degrees(Index k) const { return std::max<Index>(0, task_.lmax - lowest(k) + 1); }

 private:
  template <class Work>
  void over_pairs(Index k, Index begin, Index end, Work&& work) const;

  Task task_;
  Index near_pole_pairs_ = 0;
};

}  // namespace armilla::legendre

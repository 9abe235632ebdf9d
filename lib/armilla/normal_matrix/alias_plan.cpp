#include <armilla/math/legendre_decay.hpp>
#include <armilla/normal_matrix/alias_plan.hpp>

#include <algorithm>

namespace armilla::normal_matrix {

namespace {

using core::at;

// Functions below exp(-39) = 1e-17 are neglected (CapHarmonics).
constexpr double kDecay = 39;

// A block of n x n elements costs about as much as n / 4 pairs of rings.
Index min_belt(Index lmax) { return std::max<Index>(lmax / 12, 8); }

}  // namespace

AliasPlan::AliasPlan(const NormalTask& task)
    : first_(at(task.pairs()), 1),
      last_(at(task.pairs()), 0),
      begin_(at(task.mmax() + 1), task.pairs()),
      end_(at(task.mmax() + 1), 0) {
  const auto last_felt = [&](Index p) {
    const Index decayed = math::decayed_order(task.lmax, kDecay, task.cos_theta[at(p)], task.sin_theta[at(p)]);
    return std::min(decayed - 1 + task.spin, task.mmax());
  };
  for (Index p = 0; p < task.pairs();) {
    Index end = p;
    while (end < task.pairs() && task.nphi[at(end)] == task.nphi[at(p)]) ++end;
    const Index nphi = task.nphi[at(p)];
    const bool is_belt = end - p >= min_belt(task.lmax);
    if (is_belt && nphi <= 2 * task.mmax()) belts_.push_back({p, end, nphi});
    for (; p < end; ++p) {
      const Index last = last_felt(p);
      if (is_belt || nphi > 2 * last) continue;
      first_[at(p)] = std::max<Index>(nphi - last, 0);
      last_[at(p)] = last;
      for (Index m = first_[at(p)]; m <= last; ++m) {
        begin_[at(m)] = std::min(begin_[at(m)], p);
        end_[at(m)] = p + 1;
      }
    }
  }
  for (std::size_t m = 0; m < begin_.size(); ++m) begin_[m] = std::min(begin_[m], end_[m]);
}

}  // namespace armilla::normal_matrix

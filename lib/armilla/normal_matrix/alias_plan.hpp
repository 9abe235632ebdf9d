#pragma once

#include <armilla/normal_matrix/normal_task.hpp>

#include <vector>

namespace armilla::normal_matrix {

/// A run of pairs begin .. end - 1 whose rings have equal numbers of pixels.
struct Belt {
  Index begin, end;
  Index nphi;
};

/// Orders m that are aliases of each other, by ring. On a ring of n pixels to which m up to `last` contribute, those
/// from n - last to last have aliases, m + k n or its negative. Belts, long runs of rings with equal numbers of pixels,
/// are processed block by block (BeltBlocks), the other rings (caps) ring by ring (CapHarmonics).
class AliasPlan {
 public:
  explicit AliasPlan(const NormalTask& task);

  const std::vector<Belt>& belts() const { return belts_; }
  /// m = first .. last have aliases on pair p of the caps; none if first > last.
  Index first(Index pair) const { return first_[static_cast<std::size_t>(pair)]; }
  Index last(Index pair) const { return last_[static_cast<std::size_t>(pair)]; }
  /// Pairs begin .. end - 1 contain all pairs of the caps on which m has aliases.
  Index begin(Index m) const { return begin_[static_cast<std::size_t>(m)]; }
  Index end(Index m) const { return end_[static_cast<std::size_t>(m)]; }

 private:
  std::vector<Belt> belts_;
  std::vector<Index> first_, last_;  // [pair]
  std::vector<Index> begin_, end_;   // [m]
};

/// Calls body(other, conjugate, k) for all k != 0 for which other = |m + k nphi| is at most `last`; `conjugate` if m +
/// k nphi is negative.
template <class Body>
void for_each_alias(Index m, Index nphi, Index last, const Body& body) {
  for (Index k = 1; m + k * nphi <= last; ++k) body(m + k * nphi, false, k);
  for (Index k = 1; k * nphi - m <= last; ++k) {
    const Index other = m - k * nphi;
    body(other < 0 ? -other : other, other < 0, k);
  }
}

}  // namespace armilla::normal_matrix

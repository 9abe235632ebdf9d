#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/normal_matrix/alias_plan.hpp>
#include <armilla/normal_matrix/harmonic_column.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <vector>

namespace armilla::normal_matrix {

/// The contribution of the rings of the caps to M, except for the blocks of one m. On each ring, coefficients are
/// multiplied by the functions and summed over degrees; each m gets the sums of its aliases on the ring; then the
/// adjoint is applied. Functions are stored if they are not negligible.
class CapHarmonics {
 public:
  CapHarmonics(const Systems& systems, const NormalTask& task, const AliasPlan& plan);

  /// Size of a workspace: the sums of all m on their rings.
  Index workspace_size(const Panels& panels) const { return begin_.back() * panels.all_numbers(); }
  static Index workspace_size(const Systems& systems, const AliasPlan& plan, const Panels& panels);

  /// Computes minus the conjugates of the sums of all systems of m, as used by other m.
  void synthesise(Index m, State<const double> from, double* work) const;
  /// crowded(): number of ring pairs on which an m has more than one alias. fold_aliases(): once the sums of all m are
  /// complete, adds the contributions of aliases on one of these pairs, with this index. Thread-safe for different
  /// pairs.
  Index crowded() const { return static_cast<Index>(crowded_.size()); }
  void fold_aliases(Index number, const Panels& panels, double* work) const;
  /// to -= contributions of other m to m, for all systems of m.
  void subtract(Index m, const double* work, State<double> to) const;

  /// Upper bound.
  static core::MemoryEstimate memory(const Systems& systems, const AliasPlan& plan);

 private:
  // Rows of a system that are processed together, on the same rings.
  static constexpr Index kDegrees = 2 * kTileRows;

  // Rows row .. row + count - 1 of a system at rings ring .. ring + rings - 1, counted from the first one of the m;
  // functions [row][ring].
  struct Block {
    Index row, count;
    Index ring, rings;
    Index begin;  // index of its first function in functions_ of this m
    Index padded() const { return whole_tiles(rings); }
    Index size() const { return whole_tiles(count) * padded(); }
  };
  // Sides of the equator with separate functions; for scalars those of the other side follow from the parity of a
  // system.
  Index sides() const { return systems_.halves(); }
  Index place(Index m, Index q, Index side) const { return (m * systems_.per_m() + q) * sides() + side; }
  Index rings(Index m) const { return plan_.end(m) - plan_.begin(m); }
  static Index padded_rings(Index rings) { return rings == 0 ? 0 : whole_tiles(rings) + kTileRows; }
  static std::vector<Index> begins(const Systems& systems, const AliasPlan& plan);
  // On such a ring the only alias of m is nphi - m.
  bool is_single(Index pair) const { return plan_.last(pair) < nphi_[static_cast<std::size_t>(pair)]; }
  bool meets(Index m, Index pair) const { return plan_.first(pair) <= m && m <= plan_.last(pair); }
  // The side of the equator from which conjugates are taken.
  Index opposite(Index side, Index pair) const {
    return has_mirror_[static_cast<std::size_t>(pair)] ? sides() - 1 - side : side;
  }
  // Start of the sums of a system and side, [ring of the m][value].
  Index sums(const Panels& panels, Index m, Index q, Index side, Index panel) const {
    return (begin_[static_cast<std::size_t>(place(m, q, side))] * panels.count + panel * padded_rings(rings(m))) *
           panels.numbers();
  }
  Index sum_on(const Panels& panels, Index m, Index q, Index side, Index panel, Index pair) const {
    return sums(panels, m, q, side, panel) + (pair - plan_.begin(m)) * panels.numbers();
  }

  // Smallest size of functions of m that are not negligible on a ring.
  double negligible(Index m, Index pair, const NormalTask& task) const;
  // [ring of the m][degree]; zeros where m has no aliases.
  std::vector<double> functions(Index m, Index side, const NormalTask& task) const;
  void make_blocks(Index m, const NormalTask& task);
  void fold_on(Index pair, Index q, const Panels& panels, double* work, std::vector<double>& met) const;
  // Addresses of the sums used by m in a panel of `columns`, [ring of the m]; prefetches them.
  void find_rows(Index m, Index q, Index side, Index panel, State<double> columns, const double* work,
                 const double** rows) const;

  const Systems& systems_;
  const AliasPlan& plan_;
  std::vector<Index> nphi_;
  std::vector<int> turn_;
  std::vector<bool> has_mirror_;
  std::vector<Index> crowded_;
  std::vector<double> weight_;              // [pair] weight in sums over rings
  std::vector<double> factor_;              // [pair] factor of sums used by a single other m, otherwise 1; padded
  std::vector<Index> begin_;                // [place] in rows of the workspace
  std::vector<std::vector<Block>> blocks_;  // [place] by rows
  std::vector<core::AlignedBuffer<double>> functions_;  // [m]
};

}  // namespace armilla::normal_matrix

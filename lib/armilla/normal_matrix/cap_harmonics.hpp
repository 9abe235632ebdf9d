#pragma once

#include <armilla/core/aligned_buffer.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/normal_matrix/alias_plan.hpp>
#include <armilla/normal_matrix/harmonic_column.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <vector>

namespace armilla::normal_matrix {

/// What M has of the rings of the caps besides the blocks of one m: on each ring, sums over degrees of the functions
/// times the coefficients; to each m what it has of the others that the ring cannot tell from it; and the adjoint. The
/// functions are kept, where they are not negligible.
class CapHarmonics {
 public:
  CapHarmonics(const Systems& systems, const NormalTask& task, const AliasPlan& plan);

  /// Numbers of a workspace: the sums of all m on their rings.
  Index workspace_size(const Panels& panels) const { return begin_.back() * panels.all_numbers(); }
  static Index workspace_size(const Systems& systems, const AliasPlan& plan, const Panels& panels);

  /// Minus the conjugates of the sums of all systems of m: as another m takes them.
  void synthesise(Index m, State<const double> from, double* work) const;
  /// Pairs of rings where an m meets more than a single other; and, when sums of all m are there, what m have of others
  /// on one of them. Any number of threads at once, for different pairs.
  Index crowded() const { return static_cast<Index>(crowded_.size()); }
  void fold_aliases(Index number, const Panels& panels, double* work) const;
  /// to -= what m has of others, for all systems of m.
  void subtract(Index m, const double* work, State<double> to) const;

  /// At most.
  static core::MemoryEstimate memory(const Systems& systems, const AliasPlan& plan);

 private:
  // Rows of a system that are taken together: of the same rings.
  static constexpr Index kDegrees = 2 * kTileRows;

  // Rows row .. row + count - 1 of a system at rings ring .. ring + rings - 1, counted from the first one of the m;
  // [row][ring] of the functions.
  struct Block {
    Index row, count;
    Index ring, rings;
    Index begin;  // in functions_ of the m
    Index padded() const { return whole_tiles(rings); }
    Index size() const { return whole_tiles(count) * padded(); }
  };
  // Sides of the equator that have functions of their own: scalars have those of the other by the parity of a system.
  Index sides() const { return systems_.halves(); }
  Index place(Index m, Index q, Index side) const { return (m * systems_.per_m() + q) * sides() + side; }
  Index rings(Index m) const { return plan_.end(m) - plan_.begin(m); }
  static Index padded_rings(Index rings) { return rings == 0 ? 0 : whole_tiles(rings) + kTileRows; }
  static std::vector<Index> begins(const Systems& systems, const AliasPlan& plan);
  // m meets no other but nphi - m on such a ring.
  bool is_single(Index pair) const { return plan_.last(pair) < nphi_[static_cast<std::size_t>(pair)]; }
  bool meets(Index m, Index pair) const { return plan_.first(pair) <= m && m <= plan_.last(pair); }
  // The side that conjugates come from.
  Index opposite(Index side, Index pair) const {
    return has_mirror_[static_cast<std::size_t>(pair)] ? sides() - 1 - side : side;
  }
  // Where the sums of a system and side begin: [ring of the m][number].
  Index sums(const Panels& panels, Index m, Index q, Index side, Index panel) const {
    return (begin_[static_cast<std::size_t>(place(m, q, side))] * panels.count + panel * padded_rings(rings(m))) *
           panels.numbers();
  }
  Index sum_on(const Panels& panels, Index m, Index q, Index side, Index panel, Index pair) const {
    return sums(panels, m, q, side, panel) + (pair - plan_.begin(m)) * panels.numbers();
  }

  // What functions of m matter on a ring that are at least this.
  double negligible(Index m, Index pair, const NormalTask& task) const;
  // [ring of the m][degree]: zeros where m meets no others.
  std::vector<double> functions(Index m, Index side, const NormalTask& task) const;
  void make_blocks(Index m, const NormalTask& task);
  void fold_on(Index pair, Index q, const Panels& panels, double* work, std::vector<double>& met) const;
  // Where the sums stand that m takes in a panel of `columns`, [ring of the m]; sends for them.
  void find_rows(Index m, Index q, Index side, Index panel, State<double> columns, const double* work,
                 const double** rows) const;

  const Systems& systems_;
  const AliasPlan& plan_;
  std::vector<Index> nphi_;
  std::vector<int> turn_;
  std::vector<bool> has_mirror_;
  std::vector<Index> crowded_;
  std::vector<double> weight_;                          // [pair] of a sum over rings
  std::vector<double> factor_;                          // [pair] of sums that a single other m takes, else 1; padded
  std::vector<Index> begin_;                            // [place] in rows of the workspace
  std::vector<std::vector<Block>> blocks_;              // [place] by rows
  std::vector<core::AlignedBuffer<double>> functions_;  // [m]
};

}  // namespace armilla::normal_matrix

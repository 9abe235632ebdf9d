#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/normal_matrix/alias_plan.hpp>
#include <armilla/normal_matrix/edge_rows.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <vector>

namespace armilla::normal_matrix {

/// The blocks of M between m that are aliases on belts of rings: sums over the rings of a belt of nphi weight exp(i k
/// nphi phi0) slambda_lm slambda_l'm', at the mirror rings for conjugates of fields with spin. They are computed from
/// their last two rows and columns by the recurrence of SelfMatrix, which holds between any two m. For stability it
/// proceeds by rows where C_l of the larger m exceeds C_l' of the smaller, l' m < l m', and by columns elsewhere.
class BeltBlocks {
 public:
  BeltBlocks(const Systems& systems, const NormalTask& task, const AliasPlan& plan, const EdgeRows& edges);

  /// to -= contribution of the belts to M for m.
  void subtract(Index m, State<const double> from, State<double> to) const;

  /// Classes of m that are aliases of each other on belts, ascending; ordered by their first m.
  static std::vector<std::vector<Index>> classes(const NormalTask& task, const AliasPlan& plan);
  static core::MemoryEstimate memory(const Systems& systems, const NormalTask& task, const AliasPlan& plan);

 private:
  // Rows for m, columns for `other` <= m; [q][padded row][padded column].
  struct Block {
    Index m, other;
    bool conjugate;
    Index k;
    std::size_t belt;
    bool to_other_only;
    Index begin;  // index of its first element in numbers_
  };
  // The contribution of another m to m: a block or its transpose.
  struct Use {
    std::size_t block;
    bool transposed;
  };
  static std::vector<Block> blocks_of(const Systems& systems, const NormalTask& task, const AliasPlan& plan,
                                      Index& size);
  static Index size_of(const Systems& systems, const Block& block);
  void make(const Block& block, const NormalTask& task, const AliasPlan& plan, EdgeRows::Maker& maker,
            std::vector<double>& square);

  const Systems& systems_;
  std::vector<Block> blocks_;
  std::vector<std::vector<Use>> uses_;  // [m]
  core::AlignedVector<double> numbers_;
};

}  // namespace armilla::normal_matrix

#pragma once

#include <armilla/core/aligned_vector.hpp>
#include <armilla/core/memory_estimate.hpp>
#include <armilla/normal_matrix/edge_rows.hpp>
#include <armilla/normal_matrix/low_rank.hpp>
#include <armilla/normal_matrix/normal_task.hpp>
#include <armilla/normal_matrix/state.hpp>
#include <armilla/normal_matrix/systems.hpp>

#include <optional>
#include <vector>

namespace armilla::normal_matrix {

/// The blocks of 1 - M for single m, M_{l l'} = sum over rings of nphi weight slambda_lm slambda_l'm, without aliases.
/// cos(theta) slambda_l = C_{l+1} slambda_{l+1} - c_l slambda_l + C_l slambda_{l-1} (math/wigner.hpp) implies that M as
/// a whole, and therefore 1 - M, commutes with the matrix of cos(theta), except for its last rows:
///   C_{l+1} M_{l+1,l'} - c_l M_{l,l'} + C_l M_{l-1,l'} = C_{l'+1} M_{l,l'+1} - c_{l'} M_{l,l'} + C_{l'} M_{l,l'-1}.
/// The lower triangle can therefore be computed row by row from its two last rows, with a few operations per element.
/// This is stable because C_l' <= C_l for l' <= l (with a small exception at m = 0), analogous to the speed limit of a
/// wave equation. 1 - M is the error of a quadrature; it is caused by rings that end or change their distance. Its
/// numerical rank is usually far below its size, and its factors are then stored (LowRank). Otherwise it is generated
/// each time it is needed, and multiplied immediately, while it is in the caches.
class SelfMatrix {
 public:
  /// Builds the tables, using the threads of the process and `edges` of the same task. Holds a reference to the
  /// systems.
  SelfMatrix(const Systems& systems, const NormalTask& task, const EdgeRows& edges);

  /// Memory of one thread.
  struct Workspace {
    core::AlignedVector<double> rows;
    std::vector<RowStep> steps;
    core::AlignedVector<double> products;
  };
  /// to = onto + (1 - M) from, for all systems of m.
  void multiply(Index m, State<const double> from, State<const double> onto, State<double> to, Workspace& work) const;

  /// Upper bound.
  static core::MemoryEstimate memory(const Systems& systems);

 private:
  // Rows of a block that are generated and multiplied at a time.
  static constexpr Index kBlock = 8 * kTileRows;
  // Padding after the elements of a row, and before the first one.
  static constexpr Index kRoom = 8;

  // Rows begin .. begin + rows - 1 of a system, up to the diagonal, followed by zeros up to a whole tile.
  struct Block {
    const double* numbers;
    Index stride, begin, rows;
  };
  static void multiply_block(const Block& block, Index numbers, const double* from, const double* onto, double* to);
  struct Layout {
    Index rows;    // rows for q = 0, the longest system
    Index stride;  // distance between rows of the workspace
  };
  Layout layout(Index m) const;
  // Generates the rows of m, and calls body(q, block) for blocks of them, starting with the highest degrees.
  template <class Body>
  void for_each_block(Index m, Workspace& work, const Body& body) const;
  void factorise(Index m, Workspace& work, std::vector<double>& whole);
  // Contents of tables_: C of degrees first + q, first + q + per_m, ... for both q of scalars, or C and c of spins; the
  // last two rows; 1 / C of all degrees.
  static Index table_row(const Systems& systems, Index m) { return systems.rows(m, 0) + 1 + 2 * kRoom; }
  static Index tables(const Systems& systems) { return 4 + systems.per_m(); }
  double* table(Index m, Index number) {
    return &tables_[static_cast<std::size_t>(begin_[static_cast<std::size_t>(m)] + number * table_row(systems_, m)) +
                    kRoom];
  }
  const double* table(Index m, Index number) const { return const_cast<SelfMatrix*>(this)->table(m, number); }
  double coupling(Index m, Index degree) const;
  void set(Index m, const NormalTask& task, EdgeRows::Maker& maker);

  // A row of the workspace, by its degree relative to the first.
  double* row(const Layout& layout, Index above, Workspace& work) const;
  RowStep step_to(Index m, const Layout& layout, Index above, Workspace& work) const;
  // Generates rows from degree first + from down to first + to.
  void generate(Index m, const Layout& layout, Index from, Index to, Workspace& work) const;

  const Systems& systems_;
  std::vector<Index> begin_;  // [m] index in tables_
  core::AlignedVector<double> tables_;
  std::vector<std::optional<LowRank>> factors_;  // [system]
};

}  // namespace armilla::normal_matrix

#pragma once

#include <armilla/legendre/engine.hpp>
#include <armilla/normal_matrix/normal_task.hpp>

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::normal_matrix {

/// Rows of blocks of a normal matrix for the two highest degrees, from which the other rows are computed. Each is a
/// Legendre synthesis of a single coefficient, multiplied by a factor for each pair of rings, followed by the adjoint.
class EdgeRows {
 public:
  /// `engine`: name for legendre::make_engine. Holds a reference to the task.
  EdgeRows(const NormalTask& task, const std::string& engine);
  EdgeRows(const EdgeRows&) = delete;
  EdgeRows& operator=(const EdgeRows&) = delete;

  /// Memory of one thread.
  class Maker {
   public:
    explicit Maker(const EdgeRows& rows);

    /// Computes the rows l = lmax and lmax - 1 of the block with rows for m = `from` and columns for m = `to`: the sums
    /// over rings of factor[pair] slambda_{l,from} slambda_{l',to}. They are row(0) and row(1), [l'] with l' counted
    /// from 0. If `mirrored`, the functions of `to` are those at the mirror rings.
    void make(Index from, Index to, std::span<const double> factor, bool mirrored);
    const double* row(Index number) const { return &rows_[static_cast<std::size_t>(number * degrees_)]; }

   private:
    const EdgeRows& shared_;
    Index degrees_;
    std::unique_ptr<legendre::EngineWorkspace> workspace_;
    std::vector<std::complex<double>> alm_, delta_;
    std::vector<double> rows_;
  };

 private:
  static constexpr Index kRows = 2;
  const NormalTask& task_;
  std::vector<Index> m_, zeros_, north_, south_;
  std::vector<int> block_;
  legendre::Task legendre_;
  std::unique_ptr<legendre::Engine<double>> engine_;
};

}  // namespace armilla::normal_matrix

#pragma once

#include <armilla/math/chord_table.hpp>
#include <armilla/radial/kernel.hpp>

#include <vector>

namespace armilla::radial {

/// sin^2(angle / 2) of the largest angle treated as within the cutoff [rad]; it allows for the rounding of distances.
double chord_limit(double cutoff);

/// A kernel as a table up to a cutoff, and 0 beyond it.
class InterpolatedKernel {
 public:
  /// Refines the table until its error is at most `tolerance` times the largest value, or until it has kMostCells
  /// cells.
  InterpolatedKernel(const Kernel& kernel, double cutoff, double tolerance);

  static constexpr Index kMostCells = Index{1} << 16;

  /// The largest measured error, relative to the largest value.
  double error() const { return error_; }
  const std::vector<double>& coefficients() const { return coefficients_; }
  math::ChordTable table() const { return {coefficients_.data(), cells_, cells_per_unit_, end_}; }

 private:
  /// The largest measured error, and the largest value.
  struct Fit {
    double error, largest;
  };
  Fit fit(const Kernel& kernel);

  double cutoff_, end_;
  Index cells_ = 16;
  double cells_per_unit_ = 0;
  double error_ = 0;
  std::vector<double> coefficients_;
};

}  // namespace armilla::radial

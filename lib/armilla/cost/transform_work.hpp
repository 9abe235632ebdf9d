#pragma once

#include <armilla/cost/work.hpp>
#include <armilla/transform/field_transform.hpp>

#include <vector>

namespace armilla::cost {

/// Numbers of passes of a field transform.
struct Passes {
  double synthesis = 0;         ///< coefficients to pixels
  double adjoint = 0;           ///< pixels to coefficients
  double delta_synthesis = 0;   ///< coefficients to Delta on the rings, without FFTs
  double delta_adjoint = 0;     ///< Delta on the rings to coefficients, without FFTs
  double exact_quadrature = 0;  ///< of these, those that resample in theta to integrate exactly
};

/// Not collective. Counts of a field transform, from which its work on any number of ranks follows; the distributions
/// of the spec determine the shares of ranks. Operation counts of the Legendre stage are those of
/// transform::legendre_fma, on the rings that the stage uses. Exchanges are those of dist::ExchangeVolume.
class TransformCounts {
 public:
  /// Counts the quantities that do not depend on the number of ranks. `bytes_of_number`: size of a real value, 4 or 8.
  TransformCounts(const transform::FieldTransformSpec& spec, Index bytes_of_number);
  /// The same counts for a spec that differs only in the numbers of ranks and maps. Their steps are not counted again.
  TransformCounts(const TransformCounts& counts, const transform::FieldTransformSpec& spec);

  /// Work of transforms of all maps of the spec.
  Work of(const Passes& passes) const;
  /// The same if ranks deal the maps among themselves, so that each transforms whole maps alone: maps and coefficients
  /// are exchanged once instead of Delta.
  Work of_whole_maps(const Passes& passes) const;
  /// Work on ring modes for this number of corrections of an iterated analysis, without its passes.
  Work of_ring_modes(double corrections) const;
  /// Work of the construction of the transform.
  Work of_construction() const;

  Load legendre() const { return legendre_; }  ///< FMA of one pass
  Load rings() const { return rings_; }        ///< dist::ring_work() of one pass, one component, one map
  const dist::ExchangeVolume& volume() const { return volume_; }
  Index bytes_of_number() const { return bytes_of_number_; }

 private:
  /// Counts of the Legendre stage of one spin field.
  struct Stage {
    Kernel synthesis, adjoint;
    Index spin;
    std::vector<double> steps;  ///< [index of m] of the recurrence
    Load load;
  };
  /// Complex values of Delta on the ring side, or on both sides of the exchange.
  Load numbers(bool both_sides) const;
  void share(const transform::FieldTransformSpec& spec);
  Index mean_orders() const { return static_cast<Index>(orders_.total) / static_cast<Index>(volume_.own.size()); }

  std::vector<Stage> stages_;
  Index lmax_, components_, bytes_of_number_;
  Index maps_ = 1;
  double pixels_, coefficients_;  ///< of one component of one map
  double longest_ring_ = 0;
  bool equal_rings_ = true;
  bool on_device_ = false;
  double resampling_by_m_ = 0;  ///< FMA for each m and map; 0 if Delta is not resampled
  double quadrature_by_m_ = 0;  ///< additional FMA of exact quadrature; 0 if the grid has none
  Load legendre_, rings_, orders_;
  dist::ExchangeVolume volume_;
};

}  // namespace armilla::cost

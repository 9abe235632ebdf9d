#pragma once

#include <armilla/iteration/make_iteration.hpp>
#include <armilla/ops/analysis_method.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace armilla::ops {

/// The corrections of a method that iterates a number of times; of none for a single analysis, nothing for others.
std::optional<iteration::Corrections> corrections_of(const AnalysisMethod& method, const grid::RingGrid& grid,
                                                     Index lmax);

/// Throws InputError if the method cannot be had with these weights and scheme, on this grid.
void check_method(const AnalysisMethod& method, const transform::FieldTransformSpec& spec);

/// Analyses of the maps of a transform by one method, with what is made once for all of them: weights, and what an
/// iteration keeps.
template <class T>
class Analysis {
 public:
  /// Collective. The transform outlives it. Finding weights counts as the phase "weights" of the timers. Throws
  /// InputError as check_weights() and check_method().
  Analysis(transform::FieldTransform<T>& transform, AnalysisMethod method, core::PhaseTimers* timers = nullptr);
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  /// Collective. Finds the alm of a map; overwrites alm. `maps`: what a least-squares fit weighs pixels with. Returns
  /// what was reached for each map, or nothing for methods that iterate a number of times. Methods that iterate until
  /// something is reached throw MapFaults, before they iterate, where maps or their weights cannot be worked on.
  /// `checkpoint`, null for none: where iterations keep their state (Iteration::analyse, fit_in_rounds).
  std::vector<AnalysisOutcome> run(const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                   const FitMaps<T>& maps = {}, iteration::Checkpoint<T>* checkpoint = nullptr);

  /// On `rank`, finding weights included; of the device as well where spec.on_device(). `shape` of `maps`.
  static core::MemoryEstimate memory(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                                     const FitMapsShape& shape = {});

 private:
  transform::FieldTransform<T>& transform_;
  AnalysisMethod method_;
  AnalysisWeights weights_;
  std::unique_ptr<iteration::Iteration<T>> iteration_;  ///< null for fits
  Index corrections_ = 0;
};

/// Collective. One analysis: Analysis::run.
template <class T>
std::vector<AnalysisOutcome> analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                      transform::AlmField<T>& alm, const AnalysisMethod& method,
                                      const FitMaps<T>& maps = {}) {
  return Analysis<T>(transform, method).run(map, alm, maps);
}

}  // namespace armilla::ops

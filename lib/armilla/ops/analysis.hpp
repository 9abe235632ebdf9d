#pragma once

#include <armilla/iteration/make_iteration.hpp>
#include <armilla/ops/analysis_method.hpp>
#include <armilla/transform/field_transform.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace armilla::ops {

/// Returns the iterations of a method with a fixed number of them; zero for a single analysis; std::nullopt for other
/// methods.
std::optional<iteration::IterationSpec> iterations_of(const AnalysisMethod& method, const grid::RingGrid& grid,
                                                      Index lmax);

/// Throws InputError if the method is not supported with these weights and scheme, on this grid.
void check_method(const AnalysisMethod& method, const transform::FieldTransformSpec& spec);

/// Analyses the maps of a transform by one method. Weights and the state of iterations are computed once and reused.
template <class T>
class Analysis {
 public:
  /// Collective. The transform must outlive it. The computation of weights is recorded in the phase "weights" of the
  /// timers. Throws InputError like check_weights() and check_method().
  Analysis(transform::FieldTransform<T>& transform, AnalysisMethod method, core::PhaseTimers* timers = nullptr);
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  /// Collective. Computes the alm of a map; overwrites alm. `maps`: pixel weights of a least-squares fit. Returns the
  /// outcome for each map; empty for methods with a fixed number of iterations. Methods that iterate to convergence
  /// throw MapFaults before iterating if maps or their weights are unusable. `checkpoint`: storage for the state of
  /// iterations, or null (Iteration::analyse, fit_in_rounds).
  std::vector<AnalysisOutcome> run(const transform::MapField<T>& map, transform::AlmField<T>& alm,
                                   const FitMaps<T>& maps = {}, iteration::Checkpoint<T>* checkpoint = nullptr);

  /// Memory on `rank`, including the computation of weights; also device memory if spec.on_device(). `shape` is that of
  /// `maps`.
  static core::MemoryEstimate memory(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                                     const FitMapsShape& shape = {});

 private:
  transform::FieldTransform<T>& transform_;
  AnalysisMethod method_;
  AnalysisWeights weights_;
  std::unique_ptr<iteration::Iteration<T>> iteration_;  ///< null for fits
  Index corrections_ = 0;
};

/// Collective. Analyses one batch of maps; see Analysis::run.
template <class T>
std::vector<AnalysisOutcome> analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                                      transform::AlmField<T>& alm, const AnalysisMethod& method,
                                      const FitMaps<T>& maps = {}) {
  return Analysis<T>(transform, method).run(map, alm, maps);
}

}  // namespace armilla::ops

#include <armilla/ops/analysis.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/immediate.hpp>
#include <armilla/ops/solvers/jacobi.hpp>

#include <algorithm>

namespace armilla::ops {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>  // clang before 17 does not find it by itself
Overloaded(Cases...)->Overloaded<Cases...>;

using Outcomes = std::vector<AnalysisOutcome>;

// Of a fit whose end nobody knows, for progress.
constexpr Index kGuessedIterations = 20;

}  // namespace

Index AnalysisMethod::transforms() const {
  const auto of_fit = [](const LeastSquares& fit) { return 2 * std::min(fit.max_iterations, kGuessedIterations) + 3; };
  return std::visit(Overloaded{[](const Quadrature&) { return Index{1}; },
                               [](const Jacobi& jacobi) { return 1 + 2 * jacobi.iterations; },
                               [](const Immediate& immediate) { return 1 + 2 * immediate.iterations; },
                               [&](const ConjugateGradients& cg) { return of_fit(cg); },
                               [&](const Lsmr& lsmr) { return of_fit(lsmr); },
                               [](const Accuracy&) { return 2 * kGuessedIterations + 3; }},
                    solver);
}

template <class T>
Outcomes analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                  transform::AlmField<T>& alm, const AnalysisMethod& method, const AnalysisWeights& weights,
                  const FitMaps<T>& maps) {
  const auto iterate = [&](Index iterations) {
    jacobi(transform, map, alm, iterations, weights);
    return Outcomes();
  };
  const auto fit = [&](FitAlgorithm algorithm, const LeastSquares& asked) {
    return least_squares(transform, map, alm, algorithm, asked, maps);
  };
  return std::visit(
      Overloaded{[&](const Quadrature&) { return iterate(0); },
                 [&](const Jacobi& jacobi) { return iterate(jacobi.iterations); },
                 [&](const Immediate& by) {
                   immediate(transform, map, alm, by.iterations, weights);
                   return Outcomes();
                 },
                 [&](const ConjugateGradients& cg) { return fit(FitAlgorithm::kConjugateGradients, cg); },
                 [&](const Lsmr& lsmr) { return fit(FitAlgorithm::kLsmr, lsmr); },
                 [&](const Accuracy& a) { return analysis_to_accuracy(transform, map, alm, a.tolerance); }},
      method.solver);
}

template <class T>
Outcomes analysis(transform::FieldTransform<T>& transform, const transform::MapField<T>& map,
                  transform::AlmField<T>& alm, const AnalysisMethod& method, const FitMaps<T>& maps) {
  const AnalysisWeights weights(transform.comm(), map.shared_distribution(), method.weights);
  return analysis(transform, map, alm, method, weights, maps);
}

template <class T>
Index analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method,
                     const FitMapsShape& shape) {
  const auto of_jacobi = [&](Index iterations) { return jacobi_bytes<T>(spec, rank, iterations, method.weights); };
  const auto of_fit = [&](FitAlgorithm algorithm) {
    return least_squares_bytes<T>(spec, rank, algorithm, shape.maps, shape.components);
  };
  const Index solver =
      std::visit(Overloaded{[&](const Quadrature&) { return of_jacobi(0); },
                            [&](const Jacobi& jacobi) { return of_jacobi(jacobi.iterations); },
                            [&](const Immediate& by) { return immediate_bytes<T>(spec, rank, by.iterations); },
                            [&](const ConjugateGradients&) { return of_fit(FitAlgorithm::kConjugateGradients); },
                            [&](const Lsmr&) { return of_fit(FitAlgorithm::kLsmr); },
                            [&](const Accuracy&) { return analysis_to_accuracy_bytes<T>(spec, rank); }},
                 method.solver);
  return std::max(solver + AnalysisWeights::bytes(*spec.pixels, method.weights, rank),
                  AnalysisWeights::making_bytes(*spec.pixels, method.weights, rank));
}

template <class T>
Index kept_analysis_bytes(const transform::FieldTransformSpec& spec, int rank, const AnalysisMethod& method) {
  using Transform = transform::FieldTransform<T>;
  if (const auto* immediate = std::get_if<Immediate>(&method.solver))
    return Transform::kept_iterate_bytes(spec, rank, transform::RingScheme::kImmediate, immediate->iterations);
  if (method.fit() != nullptr || std::holds_alternative<Accuracy>(method.solver))
    return Transform::normal_bytes(spec, rank);
  const auto* jacobi = std::get_if<Jacobi>(&method.solver);
  if (jacobi == nullptr || !iterates_in_spectra(spec, jacobi->iterations, method.weights)) return 0;
  return Transform::kept_iterate_bytes(spec, rank, transform::RingScheme::kJacobi, jacobi->iterations);
}

template Index kept_analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
template Index kept_analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&);
template Outcomes analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                  transform::AlmField<float>&, const AnalysisMethod&, const AnalysisWeights&,
                                  const FitMaps<float>&);
template Outcomes analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                   transform::AlmField<double>&, const AnalysisMethod&, const AnalysisWeights&,
                                   const FitMaps<double>&);
template Outcomes analysis<float>(transform::FieldTransform<float>&, const transform::MapField<float>&,
                                  transform::AlmField<float>&, const AnalysisMethod&, const FitMaps<float>&);
template Outcomes analysis<double>(transform::FieldTransform<double>&, const transform::MapField<double>&,
                                   transform::AlmField<double>&, const AnalysisMethod&, const FitMaps<double>&);
template Index analysis_bytes<float>(const transform::FieldTransformSpec&, int, const AnalysisMethod&,
                                     const FitMapsShape&);
template Index analysis_bytes<double>(const transform::FieldTransformSpec&, int, const AnalysisMethod&,
                                      const FitMapsShape&);

}  // namespace armilla::ops

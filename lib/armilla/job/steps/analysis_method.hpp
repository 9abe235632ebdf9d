#pragma once

#include <armilla/job/document.hpp>
#include <armilla/ops/analysis.hpp>

#include <optional>
#include <string>

namespace armilla::job::steps {

/// How a step finds coefficients: the values of its keys `method` and `tolerance`.
struct MethodSpec {
  ops::AnalysisMethod method;
  std::string key = "method";                        ///< of what messages speak of: method.cg, tolerance
  std::optional<std::string> mask = {};              ///< name of a map
  std::optional<std::string> inverse_variance = {};  ///< name of a map
  bool allow_unconverged = false;
};

/// `method: quadrature`, `ring_weights`, `pixel_weights`, `{ring_weights: {degree: 100}}` and its like; `{jacobi:
/// {iterations: 3, weights: ring, scheme: auto}}`, `immediate` likewise without scheme, where weights are `grid`,
/// `ring`, `pixel`, `{ring: {degree: 100}}` or its like;
/// `{cg: {tolerance, max_iterations, mask, inverse_variance, weights, allow_unconverged}}`, `lsmr` likewise. Or, in
/// place of `method`, `tolerance: 1e-10`. Quadrature where a step has neither. Throws InputError for anything else.
MethodSpec parse_analysis_method(const YamlValue& step);

}  // namespace armilla::job::steps

#pragma once

#include <armilla/job/document.hpp>
#include <armilla/ops/analysis.hpp>

namespace armilla::job::steps {

/// The value of a key `method`: `quadrature`, `ring_weights`, `pixel_weights`, `{ring_weights: {degree: 100}}` and its
/// like, or `{jacobi: {iterations: 3, weights: ring}}`, where weights are `grid`, `ring`, `pixel`, `{ring: {degree:
/// 100}}` or its like. Throws InputError for anything else.
ops::AnalysisMethod parse_analysis_method(const YamlValue& value);

}  // namespace armilla::job::steps

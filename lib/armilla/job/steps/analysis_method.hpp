#pragma once

#include <armilla/job/document.hpp>
#include <armilla/ops/analysis.hpp>

namespace armilla::job::steps {

/// The value of a key `method`: `quadrature`, or `{jacobi: {iterations: 3}}`. Throws InputError for anything else.
ops::AnalysisMethod parse_analysis_method(const YamlValue& value);

}  // namespace armilla::job::steps

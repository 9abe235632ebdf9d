#include <armilla/job/steps/analysis_method.hpp>

#include <string>
#include <vector>

namespace armilla::job::steps {

ops::AnalysisMethod parse_analysis_method(const YamlValue& value) {
  if (value.is_section()) {
    value.expect_keys(std::vector<std::string>{"jacobi"});
    const YamlValue jacobi = value.at("jacobi");
    jacobi.expect_keys(std::vector<std::string>{"iterations"});
    return {.jacobi_iterations = jacobi.at("iterations").whole_number(0, 1000000)};
  }
  if (value.text() != "quadrature") value.fail("is not a method: expected 'quadrature' or {jacobi: {iterations: 3}}");
  return {};
}

}  // namespace armilla::job::steps

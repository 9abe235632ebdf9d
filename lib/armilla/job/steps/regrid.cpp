#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/steps/regrid.hpp>
#include <armilla/job/steps/synthesis.hpp>

#include <memory>

namespace armilla::job::steps {

namespace {

std::vector<std::shared_ptr<const Operation>> parse(const YamlValue& value, const ParseContext& context) {
  const std::string out = value.text("out");
  const std::string between = out + " (coefficients)";
  const GridSpec grid = parse_grid(value.at("grid"), context);
  auto analysis = std::make_shared<Analysis>(value.text("map"), parse_analysis_method(value), between);
  analysis->for_grid = grid;
  if (value.find("lmax")) analysis->limits = parse_lmax_mmax(value);
  return {analysis, std::make_shared<const Synthesis>(between, grid, out)};
}

}  // namespace

OperationKind Regrid::kind() { return {"regrid", {"map", "grid", "lmax", "method", "tolerance", "out"}, parse}; }

}  // namespace armilla::job::steps

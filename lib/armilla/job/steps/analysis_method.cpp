#include <armilla/job/parse_values.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

using ops::AnalysisMethod;
using ops::WeightKind;

/// The name of a choice, and its parameters where it has any: `name`, or `{name: {..}}`.
struct Choice {
  std::string name;
  std::optional<YamlValue> parameters;
};

/// `hint` shows what a choice with parameters looks like.
Choice parse_choice(const YamlValue& value, const std::vector<std::string>& names, const std::string& hint) {
  if (!value.is_section()) {
    const std::string name = value.text();
    if (std::ranges::find(names, name) == names.end())
      value.fail(
          fmt::format("is not known: expected one of {}, or a section such as {}", fmt::join(names, ", "), hint));
    return {name, std::nullopt};
  }
  value.expect_keys(names);
  const auto members = value.members();
  if (members.size() != 1) value.fail(fmt::format("names {} of {}: give one", members.size(), fmt::join(names, ", ")));
  return {members.front().first, members.front().second};
}

ops::WeightsSpec parse_weights(WeightKind kind, const Choice& choice) {
  ops::WeightsSpec weights{kind, {}};
  if (!choice.parameters) return weights;
  choice.parameters->expect_keys(kind == WeightKind::kGrid ? std::vector<std::string>{}
                                                           : std::vector<std::string>{"degree"});
  if (const auto degree = choice.parameters->find("degree")) weights.degree = degree->whole_number(0, kLargestNumber);
  return weights;
}

ops::WeightsSpec parse_weights(const YamlValue& value) {
  const Choice choice = parse_choice(value, {"grid", "ring", "pixel"}, "{ring: {degree: 100}}");
  const WeightKind kind = choice.name == "grid"   ? WeightKind::kGrid
                          : choice.name == "ring" ? WeightKind::kRing
                                                  : WeightKind::kPixel;
  return parse_weights(kind, choice);
}

AnalysisMethod parse_quadrature(const Choice& choice) {
  return {parse_weights(WeightKind::kGrid, choice), ops::Quadrature{}};
}

AnalysisMethod parse_ring_weights(const Choice& choice) {
  return {parse_weights(WeightKind::kRing, choice), ops::Quadrature{}};
}

AnalysisMethod parse_pixel_weights(const Choice& choice) {
  return {parse_weights(WeightKind::kPixel, choice), ops::Quadrature{}};
}

AnalysisMethod parse_jacobi(const Choice& choice) {
  AnalysisMethod method{{}, ops::Jacobi{3}};
  if (!choice.parameters) return method;
  choice.parameters->expect_keys(std::vector<std::string>{"iterations", "weights"});
  method.solver = ops::Jacobi{choice.parameters->at("iterations").whole_number(0, 1000000)};
  if (const auto weights = choice.parameters->find("weights")) method.weights = parse_weights(*weights);
  return method;
}

/// One row per method.
struct MethodKind {
  std::string name;
  AnalysisMethod (*parse)(const Choice& choice);
};

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds{
      {"quadrature", parse_quadrature},
      {"ring_weights", parse_ring_weights},
      {"pixel_weights", parse_pixel_weights},
      {"jacobi", parse_jacobi},
  };
  return kinds;
}

}  // namespace

ops::AnalysisMethod parse_analysis_method(const YamlValue& value) {
  std::vector<std::string> names;
  for (const MethodKind& kind : method_kinds()) names.push_back(kind.name);
  const Choice choice = parse_choice(value, names, "{jacobi: {iterations: 3}}");
  return std::ranges::find(method_kinds(), choice.name, &MethodKind::name)->parse(choice);
}

}  // namespace armilla::job::steps

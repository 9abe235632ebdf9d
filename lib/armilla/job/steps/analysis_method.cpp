#include <armilla/job/parse_values.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
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

MethodSpec parse_quadrature(const Choice& choice) {
  return {.method = {parse_weights(WeightKind::kGrid, choice), ops::Quadrature{}}};
}

MethodSpec parse_ring_weights(const Choice& choice) {
  return {.method = {parse_weights(WeightKind::kRing, choice), ops::Quadrature{}}};
}

MethodSpec parse_pixel_weights(const Choice& choice) {
  return {.method = {parse_weights(WeightKind::kPixel, choice), ops::Quadrature{}}};
}

std::optional<iteration::Scheme> parse_scheme(const YamlValue& value) {
  std::vector<std::string> names{"auto"};
  for (std::string& name : iteration::scheme_names()) names.push_back(std::move(name));
  const std::size_t choice = value.choice(names);
  if (choice == 0) return std::nullopt;
  return static_cast<iteration::Scheme>(choice - 1);
}

template <class Iteration>
MethodSpec parse_iteration(const Choice& choice) {
  AnalysisMethod method{{}, Iteration{3}};
  if (!choice.parameters) return {.method = method};
  constexpr bool has_schemes = std::is_same_v<Iteration, ops::Jacobi>;
  std::vector<std::string> keys{"iterations", "weights"};
  if (has_schemes) keys.emplace_back("scheme");
  choice.parameters->expect_keys(keys);
  Iteration iteration{choice.parameters->at("iterations").whole_number(0, 1000000)};
  if constexpr (has_schemes)
    if (const auto scheme = choice.parameters->find("scheme")) iteration.scheme = parse_scheme(*scheme);
  method.solver = iteration;
  if (const auto weights = choice.parameters->find("weights")) method.weights = parse_weights(*weights);
  return {.method = method};
}

/// `uniform` or `area`.
ops::PixelCount parse_count(const YamlValue& value) {
  static const std::vector<std::string> names{"uniform", "area"};
  return value.choice(names) == 0 ? ops::PixelCount::kUniform : ops::PixelCount::kArea;
}

double parse_tolerance(const YamlValue& value) {
  const double tolerance = parse_finite(value);
  if (!(tolerance > 0 && tolerance < 1)) value.fail("is no tolerance: give a number between 0 and 1, such as 1e-10");
  return tolerance;
}

std::vector<double> parse_ring_inverse_variance(const YamlValue& value) {
  std::vector<double> numbers;
  for (const YamlValue& item : value.items()) {
    numbers.push_back(parse_finite(item));
    if (numbers.back() < 0) item.fail("is negative: inverse variances are 0 or more, 0 where nothing is known");
  }
  if (numbers.empty()) value.fail("is empty: name a map, or give one number for each ring");
  return numbers;
}

template <class Fit>
MethodSpec parse_fit(const Choice& choice) {
  MethodSpec spec;
  spec.key = "method." + choice.name;
  Fit fit;
  if (choice.parameters) {
    const YamlValue& value = *choice.parameters;
    value.expect_keys(std::vector<std::string>{"tolerance", "max_iterations", "mask", "inverse_variance", "weights",
                                               "allow_unconverged"});
    if (const auto tolerance = value.find("tolerance")) fit.tolerance = parse_tolerance(*tolerance);
    if (const auto most = value.find("max_iterations")) fit.max_iterations = most->whole_number(1, 1000000);
    if (const auto weights = value.find("weights")) fit.count = parse_count(*weights);
    if (value.find("mask")) spec.mask = value.text("mask");
    if (const auto variance = value.find("inverse_variance")) {
      if (variance->is_scalar())
        spec.inverse_variance = variance->text();
      else
        fit.ring_inverse_variance = parse_ring_inverse_variance(*variance);
    }
    if (const auto allow = value.find("allow_unconverged")) spec.allow_unconverged = allow->yes_or_no();
  }
  spec.method.solver = std::move(fit);
  return spec;
}

/// One row per method.
struct MethodKind {
  std::string name;
  MethodSpec (*parse)(const Choice& choice);
};

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds{
      {"quadrature", parse_quadrature},
      {"ring_weights", parse_ring_weights},
      {"pixel_weights", parse_pixel_weights},
      {"jacobi", parse_iteration<ops::Jacobi>},
      {"immediate", parse_iteration<ops::Immediate>},
      {"cg", parse_fit<ops::ConjugateGradients>},
      {"lsmr", parse_fit<ops::Lsmr>},
  };
  return kinds;
}

}  // namespace

MethodSpec parse_analysis_method(const YamlValue& step) {
  const auto value = step.find("method");
  if (const auto tolerance = step.find("tolerance")) {
    if (value)
      tolerance->fail("and a method exclude each other: the tolerance chooses the method. Give one of the two");
    MethodSpec spec;
    spec.key = "tolerance";
    spec.method.solver = ops::Accuracy{parse_tolerance(*tolerance)};
    return spec;
  }
  if (!value) return {};
  std::vector<std::string> names;
  for (const MethodKind& kind : method_kinds()) names.push_back(kind.name);
  const Choice choice = parse_choice(*value, names, "{jacobi: {iterations: 3}}");
  return std::ranges::find(method_kinds(), choice.name, &MethodKind::name)->parse(choice);
}

}  // namespace armilla::job::steps

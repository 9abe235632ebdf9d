#include <armilla/core/instantiate.hpp>
#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/value/unit_powers.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

using ops::WeightKind;

double parse_tolerance(const YamlValue& value) {
  const double tolerance = parse_finite(value);
  if (!(tolerance > 0 && tolerance < 1))
    value.fail("is not a valid tolerance: use a number between 0 and 1, such as 1e-10");
  return tolerance;
}

/// The parameters of a kind of weights.
template <WeightKind kKind>
struct Weights {
  std::optional<Index> degree;

  static Keys<Weights> keys() {
    if constexpr (kKind == WeightKind::kGrid) return {};
    const char* help = kKind == WeightKind::kRing
                           ? "HEALPix only: zonal harmonics up to this degree are integrated exactly; at most 3.6 nside"
                           : "all harmonics up to this degree are integrated exactly; at most 3 nside";
    return {KeyMakers<Weights>::whole("degree", &Weights::degree, 0, kLargestNumber, help)
                .fallback(kKind == WeightKind::kRing ? "25/8 nside" : "3 nside")};
  }

  static ops::WeightsSpec parse(const YamlValue* parameters, const ParseContext& context) {
    Weights weights;
    if (parameters != nullptr) read_parameters(weights, Weights::keys(), *parameters, context);
    return {kKind, weights.degree};
  }
};

/// Parses an analysis method that consists of weights only.
template <WeightKind kKind>
struct WeightedOnce {
  static MethodSpec parse(const YamlValue* parameters, const ParseContext& context) {
    return {.method = {Weights<kKind>::parse(parameters, context), ops::Quadrature{}}};
  }
  static std::vector<Key> keys() { return described(Weights<kKind>::keys()); }
};

template <class Solver>
struct Iterated {
  Index iterations = 3;
  ops::WeightsSpec weights;
  std::size_t scheme = 0;  // 0: auto, otherwise iteration::Scheme + 1

  static Keys<Iterated> rows() {
    using K = KeyMakers<Iterated>;
    constexpr bool kIsJacobi = std::is_same_v<Solver, ops::Jacobi>;
    Keys<Iterated> rows{K::whole("iterations", &Iterated::iterations, 0, 1000000, "corrections").required(),
                        K::other("weights",
                                 kIsJacobi ? "`grid`, `ring`, `pixel`, `{ring: {degree: 100}}`, `{pixel: {degree: 96}}`"
                                           : "`grid`, `ring`, `{ring: {degree: 100}}`",
                                 "the weights of each analysis",
                                 [](Iterated& iterated, const YamlValue& value, const ParseContext& context) {
                                   std::vector<std::string> names{"grid", "ring"};
                                   if (kIsJacobi) names.emplace_back("pixel");
                                   iterated.weights = parse_weights(value, names, context);
                                 })
                            .fallback("grid")};
    if constexpr (kIsJacobi) {
      std::vector<std::string> names{"auto"};
      for (std::string& name : iteration::scheme_names()) names.push_back(std::move(name));
      rows.push_back(K::choice("scheme", &Iterated::scheme, std::move(names),
                               "[representation of a map](job_reference.md#schemes) between corrections"));
    }
    return rows;
  }
  static std::vector<Key> keys() { return described(rows()); }

  static MethodSpec parse(const YamlValue* parameters, const ParseContext& context) {
    Iterated iterated;
    if (parameters != nullptr) read_parameters(iterated, rows(), *parameters, context);
    Solver solver{iterated.iterations};
    if constexpr (std::is_same_v<Solver, ops::Jacobi>)
      if (iterated.scheme != 0) solver.scheme = static_cast<iteration::Scheme>(iterated.scheme - 1);
    return {.method = {iterated.weights, solver}};
  }
};

std::vector<double> parse_ring_inverse_variance(const YamlValue& value) {
  std::vector<double> numbers;
  for (const YamlValue& item : value.items()) {
    numbers.push_back(parse_finite(item));
    if (numbers.back() < 0) item.fail("is negative: use 0 for unknown values, otherwise a positive inverse variance");
  }
  if (numbers.empty()) value.fail("is empty: name a map, or list one number per ring");
  return numbers;
}

/// The parameters of a least-squares fit.
struct FitKeys {
  std::optional<double> tolerance;
  Index max_iterations = 1000;
  ops::PixelCount count = ops::PixelCount::kUniform;
  std::optional<std::string> mask;
  std::optional<std::string> inverse_variance;
  std::vector<double> ring_inverse_variance;
  double penalty = 0;
  std::optional<SpectrumKeys> prior;
  bool allow_unconverged = false;

  static void parse_regularise(FitKeys& fit, const YamlValue& value, const ParseContext& context) {
    if (value.is_section()) {
      parse_section(fit.prior.emplace(), value, context);
      return;
    }
    fit.penalty = parse_finite(value);
    if (!(fit.penalty > 0))
      value.fail("is not positive: use a positive number, or a section such as {spectrum: cl.fits}");
  }

  static KeyOf<FitKeys> regularise_key() {
    KeyOf<FitKeys> row = KeyMakers<FitKeys>::other(
        "regularise", "number, or section",
        "[penalty](job_reference.md#regularised-fits) that makes the fit unique. A number lambda adds lambda times the "
        "sum over l and m of abs(a_lm)^2 to the minimised sum; a section adds the sum of abs(a_lm)^2 / C_l",
        parse_regularise);
    row.key.type = KeyType::kSection;
    row.key.members = described(SpectrumKeys::keys());
    return row;
  }

  static Keys<FitKeys> keys() {
    using K = KeyMakers<FitKeys>;
    return {
        K::other(
            "tolerance", "number between 0 and 1",
            "residual of the normal equations, Y^T W (map - Y alm), relative to that of alm = 0; at least 1e-13, in "
            "single precision 2e-6",
            [](FitKeys& fit, const YamlValue& value, const ParseContext&) { fit.tolerance = parse_tolerance(value); })
            .fallback("1e-10, in single precision 1e-4"),
        K::whole("max_iterations", &FitKeys::max_iterations, 1, 1000000,
                 "maximum number of iterations; a fit that has not converged by then is an error"),
        K::value_name(
            "mask", &FitKeys::mask, ValueSort::kMap,
            "1 for pixels that are used, 0 for others, or any value between, on the pixels of `map`; one component for "
            "all, or as many as the map has; in a campaign one mask for all maps, or one for each"),
        K::other("inverse_variance", "name of a map, or list of numbers",
                 "inverse noise variance, 0 where the map is unknown: a map like `mask`, or a number for each ring "
                 "from north to south",
                 [](FitKeys& fit, const YamlValue& value, const ParseContext&) {
                   if (value.is_scalar())
                     fit.inverse_variance = value.text();
                   else
                     fit.ring_inverse_variance = parse_ring_inverse_variance(value);
                 }),
        K::choice(
            "weights", &FitKeys::count, {"uniform", "area"},
            "pixel weights in addition to `mask` and `inverse_variance`. `uniform`: 1; `area`: the area of the pixel"),
        regularise_key(),
        K::flag("allow_unconverged", &FitKeys::allow_unconverged,
                "`true` accepts an unconverged result, which is noted in the report")};
  }
};

template <class Solver>
struct Fitted {
  static std::vector<Key> keys() { return described(FitKeys::keys()); }

  static MethodSpec parse(const YamlValue* parameters, const ParseContext& context) {
    FitKeys fit;
    if (parameters != nullptr) read_parameters(fit, FitKeys::keys(), *parameters, context);
    Solver solver;
    solver.tolerance = fit.tolerance;
    solver.max_iterations = fit.max_iterations;
    solver.count = fit.count;
    solver.ring_inverse_variance = std::move(fit.ring_inverse_variance);
    solver.regularise.penalty = fit.penalty;
    return {.method = {{}, std::move(solver)},
            .mask = fit.mask,
            .inverse_variance = fit.inverse_variance,
            .allow_unconverged = fit.allow_unconverged,
            .prior = std::move(fit.prior)};
  }
};

template <class Method>
MethodKind method_kind(std::string name, std::string help) {
  return {std::move(name), std::move(help), Method::keys(), Method::parse};
}

}  // namespace

namespace {

/// Throws InputError at the spectra of `regularise` if one that these fields need is negative, or 0 at all degrees.
void check_prior(const Place& place, const std::string& key, const std::string& name, const alm::SpectraTable& table,
                 const transform::FieldKind& kind, Index lmax) {
  for (const std::string& field : kind.alm_names()) {
    const std::vector<double>& column = *table.find(alm::spectrum_name(field, field));
    const auto end = column.begin() + lmax + 1;
    if (const auto bad = std::find_if(column.begin(), end, [](double c_l) { return !(c_l >= 0); }); bad != end)
      refuse(place, key, name,
             fmt::format("has the negative C_l {:.3g} of {} at l = {}: use spectra that are at least 0", *bad, field,
                         bad - column.begin()));
    if (std::all_of(column.begin(), end, [](double c_l) { return c_l == 0; }))
      refuse(place, key, name,
             fmt::format("has C_l = 0 of {} at all degrees, for which all alm are 0: use the spectra of the field",
                         field));
  }
}

}  // namespace

void MethodSpec::take_prior(Operation& step) const {
  if (!prior) return;
  step.take(key + ".regularise.spectrum", prior->spectrum, ValueSort::kSpectra, prior->spectrum_kind, prior->columns);
}

void MethodSpec::plan_prior(StepPlanner& planner, const transform::FieldKind& kind, Index lmax,
                            const std::vector<std::string>& units) const {
  if (!prior) return;
  const std::size_t number = planner.planned().operands.size() - 1;
  SpectrumKeys::check(planner, number, kind.alm_names(), lmax);
  const ValueInfo& spectra = planner.operand(number);
  const std::string path = key + ".regularise.spectrum";
  if (spectra.per_item) planner.refuse_operand(number, "has separate spectra for each map: use spectra shared by all");
  if (spectra.table) check_prior(planner.place(), path, spectra.name, *spectra.table, kind, lmax);
  const std::string unit = unit_root(spectra.units.front());
  for (const std::string& of_map : units)
    if (!unit.empty() && !of_map.empty() && unit != of_map) {
      planner.warn(path,
                   fmt::format("the C_l in {} have the unit {}, which is not the square of {}, the unit of the data",
                               spectra.name, spectra.units.front(), of_map));
      return;
    }
}

ops::AnalysisMethod MethodSpec::planned(const transform::FieldKind& kind, Index lmax) const {
  ops::AnalysisMethod with = method;
  if (prior)
    with.fit()->regularise.spectra.assign(kind.alm_names().size(), std::vector<double>(core::at(lmax + 1), 1.0));
  return with;
}

template <class T>
ops::AnalysisMethod MethodSpec::with_prior(StepRun<T>& step, const transform::FieldKind& kind) const {
  ops::AnalysisMethod with = method;
  if (!prior) return with;
  const std::size_t number = step.planned().operands.size() - 1;
  const alm::SpectraTable& table = step.spectra(number).front();
  check_prior(step.place(), key + ".regularise.spectrum", step.operand_info(number).name, table, kind,
              step.result_info().alm->layout().lmax());
  for (const std::string& name : kind.alm_names())
    with.fit()->regularise.spectra.push_back(*table.find(alm::spectrum_name(name, name)));
  return with;
}

ARMILLA_INSTANTIATE(MethodSpec::with_prior);

Choice parse_choice(const YamlValue& value, const std::vector<std::string>& names, const std::string& hint) {
  if (!value.is_section()) {
    if (const auto section = value.short_section()) return parse_choice(*section, names, hint);
    const std::string name = value.text();
    if (std::ranges::find(names, name) == names.end())
      value.fail(
          fmt::format("is not valid: expected one of {}, or a section such as {}", fmt::join(names, ", "), hint));
    return {name, std::nullopt};
  }
  value.expect_keys(names);
  const auto members = value.members();
  if (members.size() != 1)
    value.fail(fmt::format("has {} of {}: use exactly one", members.size(), fmt::join(names, ", ")));
  return {members.front().first, members.front().second};
}

ops::WeightsSpec parse_weights(const YamlValue& value, const std::vector<std::string>& names,
                               const ParseContext& context) {
  const Choice choice = parse_choice(value, names, "{ring: 100}");
  const YamlValue* parameters = choice.parameters ? &*choice.parameters : nullptr;
  if (choice.name == "grid") return Weights<WeightKind::kGrid>::parse(parameters, context);
  if (choice.name == "ring") return Weights<WeightKind::kRing>::parse(parameters, context);
  return Weights<WeightKind::kPixel>::parse(parameters, context);
}

const std::vector<MethodKind>& method_kinds() {
  static const std::vector<MethodKind> kinds{
      method_kind<WeightedOnce<WeightKind::kGrid>>("quadrature", "Quadrature with the weights of the grid"),
      method_kind<WeightedOnce<WeightKind::kRing>>(
          "ring_weights", "Quadrature with one weight per ring, on HEALPix and equiangular grids"),
      method_kind<WeightedOnce<WeightKind::kPixel>>("pixel_weights",
                                                    "Quadrature with one weight per pixel, on HEALPix"),
      method_kind<Iterated<ops::Jacobi>>("jacobi",
                                         "Analysis, then `iterations` corrections by analysis of the residual; the "
                                         "default is 3 for `jacobi` without keys"),
      method_kind<Iterated<ops::Immediate>>(
          "immediate",
          "Like `jacobi`, but the m are corrected one after another, each using the residual left by the previous one"),
      method_kind<Fitted<ops::ConjugateGradients>>("cg", "Least-squares fit by conjugate gradients"),
      method_kind<Fitted<ops::Lsmr>>("lsmr",
                                     "Like `cg`, but with LSMR, which needs more memory; its residual never increases"),
  };
  return kinds;
}

MethodSpec parse_method(const YamlValue& value, const ParseContext& context) {
  std::vector<std::string> names;
  for (const MethodKind& kind : method_kinds()) names.push_back(kind.name);
  const Choice choice = parse_choice(value, names, "{jacobi: 3}");
  const YamlValue* parameters = choice.parameters ? &*choice.parameters : nullptr;
  MethodSpec spec = std::ranges::find(method_kinds(), choice.name, &MethodKind::name)->parse(parameters, context);
  if (spec.method.fit() != nullptr) spec.key = "method." + choice.name;
  spec.is_given = true;
  return spec;
}

MethodSpec parse_method_tolerance(const YamlValue& value, const MethodSpec& method) {
  if (method.is_given)
    value.fail("cannot be combined with a method, because the tolerance selects the method: use one of the two");
  MethodSpec spec;
  spec.key = "tolerance";
  spec.method.solver = ops::Accuracy{parse_tolerance(value)};
  return spec;
}

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/only.hpp>
#include <armilla/job/steps/select.hpp>
#include <armilla/ops/solvers/accuracy.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

bool takes_grid_weights(const ops::AnalysisMethod& method) {
  return method.fit() == nullptr && method.weights.kind == ops::WeightKind::kGrid;
}

/// Refuses a map on a grid without such weights, and coefficients that its grid cannot tell apart.
void check_grid(const StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid) {
  const ops::AnalysisMethod& method = step.method.method;
  if (!grid.description().is_whole())
    planner.refuse_operand(
        0, fmt::format("lies on a part of the sky ({}), over which nothing integrates exactly: use adjoint_synthesis, "
                       "or give weights of your own in a rings file",
                       grid.description().text()));
  if (!grid.has_weights() && takes_grid_weights(method))
    planner.refuse_operand(
        0, fmt::format("lies on {}, which has no quadrature weights: give the dataset 'weight' in its file, use "
                       "adjoint_synthesis, or the method cg",
                       grid.description().text()));
  try {
    ops::check_weights(method.weights, grid);
  } catch (const core::InputError& error) {
    planner.rethrow("method", error.what());
  }
  if (step.aliasing == Analysis::Aliasing::kAllow) return;
  const auto check = [&](const char* key, Index value, const std::string& rule, Index limit) {
    if (value > limit)
      planner.refuse_key(key, fmt::format("{}", value),
                         fmt::format("exceeds {} = {} of map '{}' (aliased): lower {}, or set allow_aliasing: true",
                                     rule, limit, planner.operand().name, key));
  };
  const grid::AnalysisLimits& limits = grid.analysis_limits();
  check("lmax", chosen.lmax, limits.lmax_rule, limits.lmax);
  check("mmax", chosen.mmax, limits.mmax_rule, limits.mmax);
  if (const Index spin = planner.operand().kind.max_spin(); spin > limits.spin)
    planner.refuse_operand(0,
                           fmt::format("has spin {}, and {} is made for spins up to {} (aliased): make it with spin: "
                                       "{}, or set allow_aliasing: true",
                                       spin, grid.description().text(), limits.spin, spin));
}

Limits choose_limits(StepPlanner& planner, const Analysis& step) {
  if (step.limits) return *step.limits;
  Index lmax = planner.operand().pixels->grid().analysis_lmax();
  if (step.for_grid) {
    const grid::RingGrid& other = planner.builder().pixels(*step.for_grid)->grid();
    if (other.has_weights()) lmax = std::min(lmax, other.analysis_lmax());
  }
  return {lmax, lmax};
}

double min_tolerance(core::Precision precision) {
  return precision == core::Precision::kSingle ? ops::min_fit_tolerance<float>() : ops::min_fit_tolerance<double>();
}

/// Refuses tolerances that the precision, or the grid, cannot give.
void check_tolerance(const StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid,
                     core::Precision precision) {
  const ops::AnalysisMethod& method = step.method.method;
  const char* name = precision == core::Precision::kSingle ? "single" : "double";
  if (const auto* accuracy = std::get_if<ops::Accuracy>(&method.solver)) {
    try {
      ops::check_accuracy(
          {grid, chosen.lmax, chosen.mmax, planner.operand().kind.max_spin(), precision, accuracy->tolerance});
    } catch (const core::InputError& error) {
      planner.refuse_key("tolerance", fmt::format("{:.3g}", accuracy->tolerance), error.what());
    }
  }
  const ops::LeastSquares* fit = method.fit();
  if (fit == nullptr || !fit->tolerance || *fit->tolerance >= min_tolerance(precision)) return;
  planner.refuse_key(
      step.method.key + ".tolerance", fmt::format("{:.3g}", *fit->tolerance),
      fmt::format("is below what {} precision can give: give {:.2g} or more{}", name, min_tolerance(precision),
                  precision == core::Precision::kSingle ? ", or set execution.precision: double" : ""));
}

/// Refuses a mask or inverse variance that does not fit the map.
void check_fit_map(const StepPlanner& planner, std::size_t number, Index transformed) {
  const ValueInfo& map = planner.operand(0);
  const ValueInfo& weights = planner.operand(number);
  if (!weights.pixels->grid().same_pixels(map.pixels->grid()))
    planner.refuse_operand(number, fmt::format("lies on {}, but the map '{}' on {}: give it on the same pixels",
                                               weights.pixels->grid().description().text(), map.name,
                                               map.pixels->grid().description().text()));
  const Index components = weights.kind.components();
  if (components != 1 && components != transformed)
    planner.refuse_operand(number, fmt::format("has {} components, but of the map '{}' {} are analysed: give one for "
                                               "all, or as many",
                                               components, map.name, transformed));
}

void check_fit_maps(const StepPlanner& planner, const Analysis& step, const grid::RingGrid& grid, Index transformed) {
  for (const auto& number : {step.mask_operand(), step.inverse_variance_operand()})
    if (number) check_fit_map(planner, *number, transformed);
  const ops::LeastSquares* fit = step.method.method.fit();
  if (fit == nullptr || fit->ring_inverse_variance.empty()) return;
  if (fit->ring_inverse_variance.size() != grid.rings().size())
    planner.rethrow(step.method.key + ".inverse_variance",
                    fmt::format("has {} numbers, but {} has {} rings: give one for each ring, or name a map",
                                fit->ring_inverse_variance.size(), grid.description().text(), grid.rings().size()));
}

/// Maps of the batch that did not come to what was asked for.
std::vector<ops::MapFault> unconverged_maps(const Analysis& analysis, const std::vector<ops::AnalysisOutcome>& outcomes,
                                            const Batch& batch, const std::string& advice) {
  std::vector<ops::MapFault> faults;
  const bool to_accuracy = std::holds_alternative<ops::Accuracy>(analysis.method.method.solver);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const ops::AnalysisOutcome& outcome = outcomes[k];
    const auto place = static_cast<Index>(k);
    if (outcome.converged || !batch.is_there(place)) continue;
    if (to_accuracy)
      faults.push_back({place, fmt::format("the map came no closer than an estimated relative error of {:.1e} in {} "
                                           "iterations: raise the tolerance, or {}",
                                           outcome.alm_error.value_or(0), outcome.iterations, advice)});
    else
      faults.push_back(
          {place,
           fmt::format("the map did not converge: the residual of the normal equations came to {:.1e} of its "
                       "start in {} iterations: raise max_iterations or tolerance, {}{}, or set "
                       "allow_unconverged: true",
                       outcome.normal_residual, outcome.iterations, advice,
                       analysis.method.mask ? " (the wider a mask, the more harmonics it leaves nearly free)" : "")});
  }
  return faults;
}

SolvedAnalysis record_of(const Place& place, const std::string& method,
                         const std::vector<ops::AnalysisOutcome>& outcomes, const Batch& batch) {
  SolvedAnalysis solved{place.path, method, 0, 0, {}, {}, {}, {}};
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    if (!batch.is_there(static_cast<Index>(k))) continue;
    const ops::AnalysisOutcome& outcome = outcomes[k];
    ++solved.maps;
    if (!outcome.converged) ++solved.unconverged;
    solved.iterations.add(static_cast<double>(outcome.iterations));
    solved.normal_residual.add(outcome.normal_residual);
    solved.map_residual.add(outcome.map_residual);
    if (outcome.alm_error) solved.alm_error.add(*outcome.alm_error);
  }
  return solved;
}

OnlyComponents choose_components(const StepPlanner& planner, const Analysis& step) {
  try {
    return {planner.operand().kind, step.only};
  } catch (const core::InputError& error) {
    planner.refuse_key("only", fmt::format("[{}]", fmt::join(step.only, ", ")),
                       fmt::format("of the alm of '{}' {}", planner.operand().name, error.what()));
  }
}

template <class T>
void run_as(const Analysis& analysis, StepRun<T>& step) {
  const ops::AnalysisMethod& method = analysis.method.method;
  const OnlyComponents only(step.operand_info().kind, analysis.only);
  auto& tool = step.template keep<ops::Analysis<T>>(
      [&] { return std::make_unique<ops::Analysis<T>>(step.transform(), method, &step.record().timers); });
  ops::FitMaps<T> maps;
  if (const auto number = analysis.mask_operand()) maps.mask = &step.map(*number);
  if (const auto number = analysis.inverse_variance_operand()) maps.inverse_variance = &step.map(*number);
  const bool own_weights = std::ranges::any_of(
      std::array{analysis.mask_operand(), analysis.inverse_variance_operand()},
      [&](const std::optional<std::size_t>& number) { return number && step.operand_info(*number).per_item; });
  const auto at_method = [&](const std::string& text) {
    return core::InputError(
        fmt::format("{}: {}.{}: {}", step.place().where, step.place().path, analysis.method.key, text));
  };
  std::vector<ops::AnalysisOutcome> outcomes;
  step.without_faulty(analysis.method.key, [&] {
    OnlyFields<T> fields(step, only);
    try {
      outcomes = tool.run(fields.map(), fields.alm(), maps);
    } catch (const ops::MapFaults& found) {
      if (found.of() == ops::FaultOf::kMap || own_weights) throw;
      throw at_method(found.faults().front().reason);
    } catch (const core::InputError& error) {
      throw at_method(error.what());
    }
    fields.finish();
  });
  if (outcomes.empty()) return;
  step.record().add(record_of(step.place(), analysis.method.key, outcomes, step.batch()));
  const transform::FieldTransformSpec& spec = step.transform().spec();
  const auto* accuracy = std::get_if<ops::Accuracy>(&method.solver);
  const double tolerance =
      accuracy != nullptr ? accuracy->tolerance : method.fit()->tolerance.value_or(ops::default_fit_tolerance<T>());
  const std::string advice =
      ops::accuracy_advice({spec.pixels->grid(), spec.alm->layout().lmax(), spec.alm->layout().mmax(),
                            spec.kind.max_spin(), core::kPrecisionOf<T>, tolerance});
  if (analysis.method.allow_unconverged) return;
  const auto faults = unconverged_maps(analysis, outcomes, step.batch(), advice);
  if (!faults.empty()) step.leave_out(faults, analysis.method.key);
}

}  // namespace

Analysis::Analysis(const YamlValue& value, const ParseContext&)
    : limits(parse_lmax_mmax(value)), method(parse_analysis_method(value)) {
  take_all(value.text("map"));
  if (const auto given = value.find("only")) {
    only = given->texts();
    if (only.empty()) given->fail("names no component: give one or more, or leave the key out");
  }
  if (const auto allow = value.find("allow_aliasing"))
    aliasing = allow->yes_or_no() ? Aliasing::kAllow : Aliasing::kRefuse;
  make(value);
}

Analysis::Analysis(const std::string& map, MethodSpec by, const std::string& out) : method(std::move(by)) {
  take_all(map);
  make(out);
}

void Analysis::take_all(const std::string& map) {
  take("map", map, ValueSort::kMap);
  if (method.mask) take(method.key + ".mask", *method.mask, ValueSort::kMap);
  if (method.inverse_variance) take(method.key + ".inverse_variance", *method.inverse_variance, ValueSort::kMap);
}

std::optional<std::size_t> Analysis::mask_operand() const {
  return method.mask ? std::optional<std::size_t>(1) : std::nullopt;
}

std::optional<std::size_t> Analysis::inverse_variance_operand() const {
  if (!method.inverse_variance) return std::nullopt;
  return method.mask ? 2 : 1;
}

OperationKind Analysis::kind() {
  return {"analysis",
          {"map", "only", "lmax", "mmax", "method", "tolerance", "allow_aliasing", "out"},
          parse_step<Analysis>};
}

void Analysis::plan(StepPlanner& planner) const {
  const Limits chosen = choose_limits(planner, *this);
  const grid::RingGrid& grid = planner.operand().pixels->grid();
  check_grid(planner, *this, chosen, grid);
  check_tolerance(planner, *this, chosen, grid, planner.builder().spec().execution.precision);
  const OnlyComponents wanted = choose_components(planner, *this);
  check_fit_maps(planner, *this, grid, wanted.of_transform.components());
  ValueInfo& alm = planner.make_field(ValueSort::kAlm);
  alm.alm = planner.builder().alm(chosen.lmax, chosen.mmax);
  alm.kind = wanted.of_result;
  alm.units = units_of(planner.operand(), wanted.of_map);
  ValueInfo transformed;
  transformed.kind = wanted.of_transform;
  planner.use_transform(transformed, alm.alm, planner.operand().pixels,
                        static_cast<std::size_t>(method.method.transforms()));
  try {
    ops::check_method(method.method, *planner.planned().transform);
  } catch (const core::InputError& error) {
    planner.rethrow("method", error.what());
  }
}

void Analysis::prepare(const comm::Communicator& world, const PlannedStep& planned) const {
  ops::AnalysisWeights::prepare(world, planned.transform->pixels->shared_grid(), method.method.weights);
}

Index Analysis::extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                            int rank) const {
  const OnlyComponents wanted(plan.values[planned.operands.front()].kind, only);
  const Index selected = wanted.extra_bytes(*planned.transform, precision, rank);
  ops::FitMapsShape shape;
  for (const auto& number : {mask_operand(), inverse_variance_operand()}) {
    if (!number) continue;
    const ValueInfo& weights = plan.values[planned.operands[*number]];
    shape.maps = std::max(shape.maps, weights.per_item ? planned.transform->maps : Index{1});
    shape.components = std::max(shape.components, weights.kind.components());
  }
  return selected - kept_workspace(plan, planned, precision, rank) +
         (precision == core::Precision::kSingle
              ? ops::analysis_bytes<float>(*planned.transform, rank, method.method, shape)
              : ops::analysis_bytes<double>(*planned.transform, rank, method.method, shape));
}

std::string Analysis::why_cpu() const {
  const auto* jacobi = std::get_if<ops::Jacobi>(&method.method.solver);
  return jacobi != nullptr && jacobi->scheme == iteration::Scheme::kNormalMatrix
             ? "scheme normal_matrix works on CPUs only"
             : "";
}

std::string Analysis::plan_note(const PlannedStep& planned) const {
  const transform::FieldTransformSpec& spec = *planned.transform;
  const auto corrections = ops::corrections_of(method.method, spec.pixels->grid(), spec.alm->layout().lmax());
  if (!corrections || corrections->count == 0) return {};
  switch (iteration::choose_scheme(spec, *corrections)) {
    case iteration::Scheme::kPixel:
      return "corrections through pixels (scheme pixel)";
    case iteration::Scheme::kRing:
      return "corrections by ring modes: rings are transformed once (scheme ring)";
    case iteration::Scheme::kNormalMatrix:
      return "corrections by the normal matrix: no rings after the first analysis (scheme normal_matrix)";
  }
  return {};
}

bool Analysis::shares_kept(const Operation& other) const {
  const auto* analysis = dynamic_cast<const Analysis*>(&other);
  return analysis != nullptr && analysis->method.method == method.method;
}

Index Analysis::kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  return ops::AnalysisWeights::bytes(*planned.transform->pixels, method.method.weights, rank) +
         kept_workspace(plan, planned, plan.spec.execution.precision, rank);
}

Index Analysis::kept_workspace(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                               int rank) const {
  if (!plan.campaign || !planned.per_item) return 0;
  return precision == core::Precision::kSingle
             ? ops::kept_analysis_bytes<float>(*planned.transform, rank, method.method)
             : ops::kept_analysis_bytes<double>(*planned.transform, rank, method.method);
}

void Analysis::run(StepRun<float>& step) const { run_as(*this, step); }
void Analysis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/core/instantiate.hpp>
#include <armilla/grid/quadrature_error.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/only.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
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

Limits choose_limits(StepPlanner& planner, const Analysis& step) {
  if (step.limits) return *step.limits;
  Index lmax = grid::accurate_lmax(planner.operand().pixels->grid());
  if (step.for_grid) {
    const grid::RingGrid& other = planner.builder().pixels(*step.for_grid)->grid();
    if (other.has_weights()) lmax = std::min(lmax, grid::accurate_lmax(other));
  }
  return {lmax, lmax};
}

OnlyComponents choose_components(const StepPlanner& planner, const Analysis& step) {
  try {
    return {planner.operand().kind, step.only};
  } catch (const core::InputError& error) {
    planner.refuse_key("only", fmt::format("[{}]", fmt::join(step.only, ", ")),
                       fmt::format("of the alm of '{}' {}", planner.operand().name, marked_text(error)));
  }
}

/// Maps of the batch that did not converge.
std::vector<ops::MapFault> unconverged_maps(const Analysis& analysis, const std::vector<ops::AnalysisOutcome>& outcomes,
                                            const Batch& batch, const std::string& advice) {
  std::vector<ops::MapFault> faults;
  const bool to_accuracy = std::holds_alternative<ops::Accuracy>(analysis.method.method.solver);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const ops::AnalysisOutcome& outcome = outcomes[k];
    const auto place = static_cast<Index>(k);
    if (outcome.converged || !batch.is_there(place)) continue;
    if (to_accuracy)
      faults.push_back({place, fmt::format("the analysis did not converge: estimated relative error {:.1e} after {} "
                                           "iterations: raise the tolerance, or {}",
                                           outcome.alm_error.value_or(0), outcome.iterations, advice)});
    else
      faults.push_back(
          {place,
           fmt::format(
               "the analysis did not converge: relative residual {:.1e} of the normal equations after {} "
               "iterations: raise {} or {}, {}{}, or set {}",
               outcome.normal_residual, outcome.iterations, core::mention({}, analysis.method.key + ".max_iterations"),
               core::mention({}, analysis.method.key + ".tolerance"), advice,
               analysis.method.mask ? " (the larger the masked area, the more harmonics are poorly constrained)" : "",
               core::mention({}, analysis.method.key + ".allow_unconverged", "true"))});
  }
  return faults;
}

}  // namespace

Analysis::Analysis(const std::string& map, MethodSpec by, const std::string& out) : method(std::move(by)) {
  take("map", map, ValueSort::kMap);
  take_weights();
  make(out);
}

Keys<Analysis> Analysis::keys() {
  return {
      operand("map", ValueSort::kMap, "the map"),
      texts("only", &Analysis::only, "[which components](cut_sky.md#e-and-b-alone) of the alm to compute")
          .fallback("all"),
      lmax(&Analysis::limits).required(),
      mmax(&Analysis::limits),
      method_key(&Analysis::method),
      tolerance_key(&Analysis::method),
      flag("allow_aliasing", &Analysis::aliasing, "allow lmax above the limit of the grid (3 nside - 1 on HEALPix)"),
      result("the coefficients")};
}

void Analysis::finish(const YamlValue&) { take_weights(); }

void Analysis::take_weights() {
  if (method.mask) take(method.key + ".mask", *method.mask, ValueSort::kMap);
  if (method.inverse_variance) take(method.key + ".inverse_variance", *method.inverse_variance, ValueSort::kMap);
  method.take_prior(*this);
}

std::optional<std::size_t> Analysis::mask_operand() const {
  return method.mask ? std::optional<std::size_t>(1) : std::nullopt;
}

std::optional<std::size_t> Analysis::inverse_variance_operand() const {
  if (!method.inverse_variance) return std::nullopt;
  return method.mask ? 2 : 1;
}

void Analysis::plan(StepPlanner& planner) const {
  const Limits chosen = choose_limits(planner, *this);
  const OnlyComponents wanted = choose_components(planner, *this);
  check_analysis(planner, *this, chosen, wanted.of_transform);
  ValueInfo& alm = planner.make_field(ValueSort::kAlm);
  alm.alm = planner.builder().alm(chosen.lmax, chosen.mmax);
  alm.kind = wanted.of_result;
  alm.units = units_of(planner.operand(), wanted.of_map);
  method.plan_prior(planner, wanted.of_transform, chosen.lmax, alm.units);
  ValueInfo transformed;
  transformed.kind = wanted.of_transform;
  planner.use_transform(transformed, alm.alm, planner.operand().pixels,
                        static_cast<std::size_t>(method.method.transforms()));
  try {
    ops::check_method(method.method, *planner.planned().transform);
  } catch (const core::InputError& error) {
    planner.rethrow("method", marked_text(error));
  }
}

void Analysis::prepare(const comm::Communicator& world, const PlannedStep& planned) const {
  ops::AnalysisWeights::prepare(world, planned.transform->pixels->shared_grid(), method.method.weights);
}

core::MemoryEstimate Analysis::memory(const JobPlan& plan, const PlannedStep& planned, int rank) const {
  const transform::FieldTransformSpec& spec = *planned.transform;
  ops::FitMapsShape shape;
  for (const auto& number : {mask_operand(), inverse_variance_operand()}) {
    if (!number) continue;
    const ValueInfo& weights = plan.values[planned.operands[*number]];
    shape.maps = std::max(shape.maps, weights.per_item ? spec.maps : Index{1});
    shape.components = std::max(shape.components, weights.kind.components());
  }
  const OnlyComponents wanted(plan.values[planned.operands.front()].kind, only);
  return in_precision_of(plan, [&]<class T>() {
    return OnlyFields<T>::memory(wanted, spec, rank) +
           ops::Analysis<T>::memory(spec, rank, method.planned(wanted.of_transform, spec.alm->layout().lmax()), shape);
  });
}

std::string Analysis::why_cpu() const {
  const auto* jacobi = std::get_if<ops::Jacobi>(&method.method.solver);
  return jacobi != nullptr && jacobi->scheme == iteration::Scheme::kNormalMatrix
             ? "scheme normal_matrix runs on CPUs only"
             : "";
}

std::string Analysis::plan_note(const JobPlan& /*plan*/, const PlannedStep& planned) const {
  const transform::FieldTransformSpec& spec = *planned.transform;
  const auto corrections = ops::iterations_of(method.method, spec.pixels->grid(), spec.alm->layout().lmax());
  if (!corrections || corrections->count == 0) return {};
  switch (iteration::choose_scheme(spec, *corrections)) {
    case iteration::Scheme::kPixel:
      return "corrections via pixels (scheme pixel)";
    case iteration::Scheme::kRing:
      return "corrections in ring modes, with a single ring transform (scheme ring)";
    case iteration::Scheme::kNormalMatrix:
      return "corrections with the normal matrix, without ring transforms after the first analysis (scheme "
             "normal_matrix)";
  }
  return {};
}

bool Analysis::shares_kept(const Operation& other) const {
  const auto* analysis = dynamic_cast<const Analysis*>(&other);
  return analysis != nullptr && analysis->method.method == method.method && !method.prior && !analysis->method.prior;
}

template <class T>
void Analysis::execute(StepRun<T>& step) const {
  const OnlyComponents wanted(step.operand_info().kind, only);
  auto& tool = step.template keep<ops::Analysis<T>>([&] {
    return std::make_unique<ops::Analysis<T>>(step.transform(), method.with_prior(step, wanted.of_transform),
                                              &step.record().timers);
  });
  ops::FitMaps<T> maps;
  if (const auto number = mask_operand()) maps.mask = &step.map(*number);
  if (const auto number = inverse_variance_operand()) maps.inverse_variance = &step.map(*number);
  const bool own_weights = std::ranges::any_of(
      std::array{mask_operand(), inverse_variance_operand()},
      [&](const std::optional<std::size_t>& number) { return number && step.operand_info(*number).per_item; });
  const auto at_method = [&](const std::string& text) {
    return core::InputError(error_at(step.place(), method.key, text));
  };
  std::vector<ops::AnalysisOutcome> outcomes;
  step.without_faulty(method.key, [&] {
    OnlyFields<T> fields(step, wanted);
    try {
      outcomes = tool.run(fields.map(), fields.alm(), maps, step.checkpoint());
    } catch (const ops::MapFaults& found) {
      if (found.of() == ops::FaultOf::kMap || own_weights) throw;
      throw at_method(found.faults().front().reason);
    } catch (const core::InputError& error) {
      throw at_method(marked_text(error));
    }
    fields.finish();
  });
  if (outcomes.empty()) return;
  record_outcomes(step, method.key, outcomes);
  const transform::FieldTransformSpec& spec = step.transform().spec();
  const auto* accuracy = std::get_if<ops::Accuracy>(&method.method.solver);
  const double tolerance = accuracy != nullptr
                               ? accuracy->tolerance
                               : method.method.fit()->tolerance.value_or(ops::default_fit_tolerance<T>());
  const std::string advice =
      ops::accuracy_advice({spec.pixels->grid(), spec.alm->layout().lmax(), spec.alm->layout().mmax(),
                            spec.kind.max_spin(), core::kPrecisionOf<T>, tolerance});
  if (method.allow_unconverged) return;
  const auto faults = unconverged_maps(*this, outcomes, step.batch(), advice);
  if (!faults.empty()) step.leave_out(faults, method.key);
}

// For composite steps that use it.
ARMILLA_INSTANTIATE(Analysis::execute);

OperationKind analysis() {
  return Analysis::kind("analysis", "Compute the coefficients of a map, or with `only` some of their components");
}

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/parse_values.hpp>
#include <armilla/job/step_planner.hpp>
#include <armilla/job/step_run.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/analysis_method.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Refuses a map on a grid without such weights, and coefficients that its grid cannot tell apart.
void check_grid(const StepPlanner& planner, const Analysis& step, const Limits& chosen, const grid::RingGrid& grid) {
  if (!grid.description().is_whole())
    planner.refuse_operand(
        0, fmt::format("lies on a part of the sky ({}), over which nothing integrates exactly: use adjoint_synthesis, "
                       "or give weights of your own in a rings file",
                       grid.description().text()));
  if (!grid.has_weights() && step.method.weights.kind == ops::WeightKind::kGrid)
    planner.refuse_operand(
        0, fmt::format("lies on {}, which has no quadrature weights: give the dataset 'weight' in its file, or use "
                       "adjoint_synthesis",
                       grid.description().text()));
  try {
    ops::check_weights(step.method.weights, grid);
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

template <class T>
void run_as(const Analysis& analysis, StepRun<T>& step) {
  transform::AlmField<T>& alm = step.make_alm();
  const auto& weights = step.template keep<ops::AnalysisWeights>([&] {
    const core::ScopedPhase timer(step.record().timers, "weights");
    return ops::AnalysisWeights(step.comm(), step.map().shared_distribution(), analysis.method.weights);
  });
  ops::analysis(step.transform(), step.map(), alm, analysis.method, weights);
}

}  // namespace

Analysis::Analysis(const YamlValue& value, const ParseContext&) : limits(parse_lmax_mmax(value)) {
  take(value, "map", ValueSort::kMap);
  if (const auto given = value.find("method")) method = parse_analysis_method(*given);
  if (const auto allow = value.find("allow_aliasing"))
    aliasing = allow->yes_or_no() ? Aliasing::kAllow : Aliasing::kRefuse;
  make(value);
}

Analysis::Analysis(const std::string& map, const std::string& out) {
  take("map", map, ValueSort::kMap);
  make(out);
}

OperationKind Analysis::kind() {
  return {"analysis", {"map", "lmax", "mmax", "method", "allow_aliasing", "out"}, parse_step<Analysis>};
}

void Analysis::plan(StepPlanner& planner) const {
  const Limits chosen = choose_limits(planner, *this);
  check_grid(planner, *this, chosen, planner.operand().pixels->grid());
  ValueInfo& alm = planner.make_field(ValueSort::kAlm);
  alm.alm = planner.builder().alm(chosen.lmax, chosen.mmax);
  planner.use_transform(alm, alm.alm, planner.operand().pixels, static_cast<std::size_t>(method.transforms()));
}

Index Analysis::extra_bytes(const JobPlan&, const PlannedStep& planned, core::Precision precision, int rank) const {
  return precision == core::Precision::kSingle ? ops::analysis_bytes<float>(*planned.transform, rank, method)
                                               : ops::analysis_bytes<double>(*planned.transform, rank, method);
}

Index Analysis::kept_bytes(const JobPlan&, const PlannedStep& planned, int rank) const {
  return ops::AnalysisWeights::bytes(*planned.transform->pixels, method.weights, rank);
}

void Analysis::run(StepRun<float>& step) const { run_as(*this, step); }
void Analysis::run(StepRun<double>& step) const { run_as(*this, step); }

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/point_analysis.hpp>
#include <armilla/ops/solvers/fit_counts.hpp>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// State that is shared by all batches of a campaign.
template <class T>
struct PointFitPlan {
  points::PointTransform<T> transform;
  ops::AnalysisMethod method;
  std::optional<ops::PointAnalysis<T>> analysis = {};
};

struct AnalysisAt final : Step<AnalysisAt> {
  Limits limits;
  MethodSpec method{.method = {.weights = {}, .solver = ops::ConjugateGradients()}, .key = "method.cg"};
  PointAccuracy accuracy = kCatalogueAccuracy;
  std::string weights;

  static Keys<AnalysisAt> keys() {
    return {operand("values", ValueSort::kValues, "the values"),
            lmax(&AnalysisAt::limits).required(),
            mmax(&AnalysisAt::limits),
            other("method", "[`cg`](#cg) or [`lsmr`](#lsmr)",
                  "fit method, with the keys `tolerance`, `max_iterations`, `regularise` and `allow_unconverged`",
                  parse_fit)
                .fallback("cg"),
            value_name("weights", &AnalysisAt::weights, ValueSort::kValues,
                       "inverse variance of each point, 0 if the value is unknown: one component, at the same points")
                .fallback("equal weights"),
            catalogue_accuracy_key<AnalysisAt>(),
            result("the coefficients")};
  }

  static void parse_fit(AnalysisAt& step, const YamlValue& value, const ParseContext& context) {
    MethodSpec spec = parse_method(value, context);
    const ops::LeastSquares* fit = spec.method.fit();
    if (fit == nullptr) value.fail("needs a grid: use cg or lsmr");
    if (spec.mask || spec.inverse_variance || !fit->ring_inverse_variance.empty() ||
        fit->count != ops::PixelCount::kUniform)
      value.complain("applies to pixels: use the key 'weights' of the step itself, a name of values");
    step.method = std::move(spec);
  }

  void finish(const YamlValue&) {
    if (!weights.empty()) take("weights", weights, ValueSort::kValues);
    method.take_prior(*this);
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    ValueInfo& alm = planner.make_field(ValueSort::kAlm);
    alm.alm = planner.builder().alm(limits.lmax, limits.mmax);
    check_point_step(planner, alm, accuracy);
    check_fit_tolerance(planner, method);
    method.plan_prior(planner, alm.kind, limits.lmax, alm.units);
    check_count(planner, alm);
    if (weights.empty()) return;
    const ValueInfo& inverse = planner.operand(1);
    if (inverse.kind.components() != 1 || inverse.kind.max_spin() != 0)
      planner.refuse_operand(
          1, fmt::format("has the fields {}: use values with one component, the inverse variance of each point",
                         fmt::join(inverse.kind.map_names(), ", ")));
    if (inverse.per_item) planner.refuse_operand(1, "has separate values for each map: use weights shared by all maps");
    check_same_catalogue(planner);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    const ValueInfo& values = plan.values[planned.operands[0]];
    const Index own = local_points(plan, values, rank);
    core::MemoryEstimate memory = in_precision_of(plan, [&]<class T>() {
      return ops::PointAnalysis<T>::memory(spec, own, rank, method.planned(spec.kind, limits.lmax));
    });
    memory.workspace += own * static_cast<Index>(sizeof(double));  // weights as passed
    return memory + point_memory(plan, spec, values, rank);
  }

  bool uses_device(const PlannedStep&) const override { return true; }
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const points::PointTransformSpec spec =
        point_spec(plan.values[planned.results[0]], accuracy, plan.spec.execution, maps_at_once(plan, planned));
    auto use = point_device_use(plan, spec, plan.values[planned.operands[0]], rank);
    if (!use) return use;
    // Upper bound on the number of solver vectors in that memory.
    constexpr Index kVectors = 7;
    const ValueInfo& alm = plan.values[planned.results[0]];
    use->memory.held.kept += kVectors * field_bytes(plan, alm, maps_at_once(plan, planned), rank);
    // With several ranks, values are on the host. Otherwise the device has them, two such vectors, and the weights.
    const ValueInfo& values = plan.values[planned.operands[0]];
    if (plan.ranks == 1)
      use->memory.held.kept += 3 * field_bytes(plan, values, maps_at_once(plan, planned), rank) +
                               (weights.empty() ? 0 : field_bytes(plan, plan.values[planned.operands[1]], 1, rank));
    return use;
  }

  std::string plan_note(const JobPlan&, const PlannedStep&) const override { return kPointsNote; }

  template <class T>
  void execute(StepRun<T>& step) const {
    auto& fit = step.template keep<PointFitPlan<T>>([&] { return make_plan(step); });
    const points::PointField<T>& values = step.values();
    std::vector<ops::AnalysisOutcome> outcomes;
    step.without_faulty("values", [&] {
      transform::AlmField<T>& alm = step.make_alm();
      at_key(step, method.key,
             [&] { outcomes = fit.analysis->run(values.data(), alm, fit.method, step.checkpoint()); });
    });
    record_outcomes(step, method.key, outcomes);
    if (method.allow_unconverged) return;
    std::vector<ops::MapFault> faults;
    for (std::size_t k = 0; k < outcomes.size(); ++k)
      if (!outcomes[k].converged && step.batch().is_there(static_cast<Index>(k)))
        faults.push_back(
            {static_cast<Index>(k),
             fmt::format(
                 "the fit did not converge: relative residual {:.1e} of the normal equations after {} iterations, "
                 "condition number at least {:.1e}: lower lmax (gaps between points wider than pi / lmax leave "
                 "harmonics poorly constrained), set regularise, raise max_iterations or tolerance, or set "
                 "allow_unconverged: true",
                 outcomes[k].normal_residual, outcomes[k].iterations, outcomes[k].condition)});
    if (!faults.empty()) step.leave_out(faults, method.key);
  }

 private:
  /// Throws InputError for a fit that has fewer values than unknowns even without weights.
  void check_count(const StepPlanner& planner, const ValueInfo& alm) const {
    if (method.method.fit()->regularise.any() || method.prior) return;
    const Index points = planner.operand().catalogue->points;
    const std::string fault =
        ops::count_fault(ops::FitData::kPoints, alm.alm->layout(), alm.kind,
                         [&](std::size_t field) { return points * alm.kind.spin_fields()[field].components; });
    if (!fault.empty()) planner.rethrow(method.key, fault);
  }

  template <class T>
  std::unique_ptr<PointFitPlan<T>> make_plan(StepRun<T>& step) const {
    const points::LocalPoints& places = *step.values().points();
    std::vector<double> inverse;
    if (!weights.empty())
      step.local("weights", [&] {
        const points::PointField<T>& given = step.values(1);
        at_key(step, "weights", [&] { ops::check_same_points(*given.points(), places); });
        inverse.assign(given.component(0, 0).begin(), given.component(0, 0).end());
      });
    const core::ScopedPhase timer(step.record().timers, "plan points");
    points::PointTransformSpec spec = point_spec(step.result_info(), accuracy, step.execution(), step.batch().maps);
    spec.device_work = step.device_work();
    // Constructed in place, because the analysis refers to the transform.
    std::unique_ptr<PointFitPlan<T>> plan(new PointFitPlan<T>{
        {step.comm(), spec, places.theta, places.phi,
         transform::Monitor{.timers = &step.record().timers, .bytes_sent = &step.record().bytes_sent}},
        method.with_prior(step, spec.kind)});
    at_key(step, "weights", [&] { plan->analysis.emplace(plan->transform, inverse); });
    return plan;
  }

  /// Executes `work`, whose errors concern `key`, except for faults of maps.
  template <class T, class Work>
  static void at_key(StepRun<T>& step, const std::string& key, Work&& work) {
    try {
      work();
    } catch (const ops::MapFaults&) {
      throw;
    } catch (const core::InputError& error) {
      complain(step.place(), key, marked_text(error));
    }
  }
};

}  // namespace

OperationKind analysis_at() {
  return AnalysisAt::kind("analysis_at", "Fit coefficients to values at [points](points.md#analysis) by least squares");
}

}  // namespace armilla::job::steps

// The inverse of a deflection.
#include <armilla/job/steps/analysis.hpp>
#include <armilla/job/steps/lensing.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/inverse_deflection.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// Computes the source positions of pixels: a map of vectors, from the coefficients of a deflection and its
/// derivatives.
struct Invert final : Step<Invert> {
  std::optional<GridSpec> grid_spec;  ///< unset: the smallest Gauss grid that supports carried_lmax()
  Limits limits;                      ///< of the subsequent analysis
  PointAccuracy accuracy;

  Invert(const std::string& deflection, const std::optional<GridSpec>& grid, Limits up_to, PointAccuracy asked,
         const std::string& out)
      : grid_spec(grid), limits(up_to), accuracy(asked) {
    take("deflection", deflection, ValueSort::kAlm);
    if (grid) read(*grid);
    make(out);
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    const Index deflection = planner.operand().alm->layout().lmax(), needed = carried_lmax(deflection);
    accuracy.check(planner, deflection);
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    map.kind = ops::deflection_kind(ops::DeflectionParts::kVectors);
    map.units.assign(2, "rad");
    map.pixels =
        planner.builder().pixels(grid_spec.value_or(GridSpec{planner.place(), {.kind = "gauss", .nlat = needed + 1}}));
    const grid::RingGrid& grid = map.pixels->grid();
    check_grid(planner, grid);
    if (const Index carried = grid.analysis_limits().lmax; carried < needed)
      planner.warn_of_key(
          "grid", grid.description().text(),
          fmt::format("is too coarse for a deflection with lmax {}, so products are aliased: use a grid that supports "
                      "lmax {}, such as {}, or remove {}",
                      deflection, needed, core::mention({}, "grid", fmt::format("gauss:{}", needed + 1)),
                      core::mention({}, "grid")));
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    return in_precision_of(plan, [&]<class T>() {
      return ops::inverse_deflection_memory<T>(plan.values[planned.operands[0]].alm,
                                               accuracy.in(plan.spec.execution.precision),
                                               *plan.values[planned.results[0]].pixels, rank);
    });
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    const transform::Monitor monitor{.timers = &step.record().timers};
    std::vector<ops::MapFault> faults;
    for (Index k = 0; k < map.maps(); ++k) {
      const ops::InverseOutcome outcome =
          ops::inverse_deflection(step.comm(), step.alm(), step.alm().maps() == 1 ? 0 : k,
                                  accuracy.in(core::kPrecisionOf<T>), step.execution().options.engine, map, k, monitor);
      if (!step.batch().is_there(k)) continue;
      step.report(analyses(), {{"method", "newton"},
                               {"maps", SumOverMaps{1}},
                               {"unconverged", SumOverMaps{outcome.converged() ? 0 : 1}},
                               {"iterations", OverMaps::of(static_cast<double>(outcome.iterations))},
                               {"displacement_residual_rad", OverMaps::of(outcome.largest_residual)}});
      if (outcome.converged()) continue;
      faults.push_back({k, fault_text(outcome, map.distribution().grid())});
    }
    if (!faults.empty()) step.leave_out(faults);
  }

 private:
  /// The lmax that a grid must support for the analysis of the inverse of a deflection. Terms of fourth order in the
  /// deflection have degrees up to four times its lmax. A grid that supports l integrates products of degree 2 l, hence
  /// these terms times degrees up to that of the inverse.
  Index carried_lmax(Index deflection) const { return std::max(limits.lmax, (4 * deflection + limits.lmax + 1) / 2); }
  void check_grid(const StepPlanner& planner, const grid::RingGrid& grid) const {
    const std::string text = grid.description().text();
    if (!grid.has_weights())
      planner.refuse_key("grid", text,
                         "is not a full-sky grid with quadrature weights, which the analysis of the inverse requires: "
                         "use such a grid, or remove the key");
    const auto check = [&](const char* key, Index value, const std::string& rule, Index limit) {
      if (value > limit)
        planner.refuse_key(
            key, fmt::format("{}", value),
            fmt::format("exceeds {} = {} of {} (aliased): lower {}, use a finer grid, or remove the key grid", rule,
                        limit, text, key));
    };
    const grid::AnalysisLimits& carried = grid.analysis_limits();
    check("lmax", limits.lmax, carried.lmax_rule, carried.lmax);
    check("mmax", limits.mmax, carried.mmax_rule, carried.mmax);
  }
  static std::string fault_text(const ops::InverseOutcome& outcome, const grid::RingGrid& grid) {
    const bool folded = outcome.residual <= outcome.tolerance;
    return fmt::format(
        "no inverse of the deflection was found at {} of {} pixels; at the first of them, pixel {}, {}. The gradient "
        "of the deflection is too large there: smooth the deflection, or lower its lmax",
        outcome.failed, grid.npix(), outcome.pixel,
        folded
            ? fmt::format("displaced points cross: the determinant is {:.3g}, not above 0", outcome.determinant)
            : fmt::format(
                  "the iteration did not converge: the remaining distance is {:.2g} rad, and the determinant is {:.3g}",
                  outcome.residual, outcome.determinant));
  }
};

struct InverseDeflectionKeys {
  std::string potential, deflection, out;
  Limits limits;
  std::optional<GridSpec> grid;
  PointAccuracy accuracy{.asked = {}, .fallback = 1e-10};

  static Keys<InverseDeflectionKeys> keys() {
    using Section = InverseDeflectionKeys;
    using K = KeyMakers<Section>;
    return {potential_key<Section>(),
            deflection_key<Section>(),
            K::lmax(&Section::limits, "largest degree of the inverse").required(),
            K::mmax(&Section::limits),
            K::grid("grid", &Section::grid,
                    "the grid on which the inverse is computed; must cover the full sky and have quadrature weights")
                .fallback("a Gauss grid [sufficient](lensing.md#inverse-deflection) for this lmax"),
            accuracy_key<Section>("distance between displaced points and pixels, relative to the largest displacement",
                                  "1e-10; in single precision 1e-6"),
            K::result_name("out", &Section::out, "the inverse: E, B of a field of spin 1 [rad]").required()};
  }

  void finish(const YamlValue& value) const { check_deflection_keys(value, potential, deflection); }

  Operations expand() const {
    const std::string coefficients = out + " (deflection coefficients)", vectors = out + " (vectors)";
    auto analysis = std::make_shared<Analysis>(vectors, MethodSpec{}, out);
    analysis->limits = limits;
    return {std::make_shared<const Deflection>(potential, deflection, ops::DeflectionParts::kDerivatives, coefficients),
            std::make_shared<const Invert>(coefficients, grid, limits, accuracy, vectors), analysis};
  }
};

}  // namespace

OperationKind inverse_deflection() {
  return composed_kind<InverseDeflectionKeys>(
      "inverse_deflection", "Compute the [inverse](lensing.md#inverse-deflection) of a deflection by Newton iteration");
}

}  // namespace armilla::job::steps

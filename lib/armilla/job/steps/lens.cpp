// Lensing: values of fields at displaced pixels.
#include <armilla/core/error.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/lensing.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace armilla::job::steps {

namespace {

constexpr double kDefaultAccuracy = 1e-7;
constexpr double kDefaultAccuracyInSingle = 1e-6;

/// Refuses a map that is not one field of tangent vectors along theta and phi, and warns of units.
void check_vectors(StepPlanner& planner, std::size_t number) {
  const auto fields = planner.operand(number).kind.spin_fields();
  const std::string& first = planner.operand(number).kind.map_names().front();
  if (first == "U" || first.ends_with("_EAST"))
    planner.refuse_operand(
        number, fmt::format("has the components {}, eastward and northward: give those along theta and phi, by "
                            "convert_vector with to: theta_phi, or gradient with axes: theta_phi",
                            fmt::join(planner.operand(number).kind.map_names(), ", ")));
  for (const std::string& unit : planner.operand(number).units)
    if (!unit.empty() && unit != "rad" && planner.planned().warnings.empty())
      planner.planned().warnings.push_back(fmt::format("{}: {}: displacements are taken in rad, but their unit is '{}'",
                                                       planner.place().where, planner.place().path, unit));
  if (fields.size() != 1 || fields.front().spin != 1)
    planner.refuse_operand(number,
                           fmt::format("has the fields {}: a displacement is one field of spin 1, as gradient makes it",
                                       fmt::join(planner.operand(number).kind.map_names(), ", ")));
}

/// The values of alm at the pixels of a map of tangent vectors, displaced by them.
struct Displace final : Step<Displace> {
  std::optional<double> accuracy;

  Displace(const std::string& alm, const std::string& vectors, std::optional<double> asked, const std::string& out)
      : accuracy(asked) {
    take("alm", alm, ValueSort::kAlm);
    take("deflection", vectors, ValueSort::kMap);
    make(out);
  }

  void plan(StepPlanner& planner) const override {
    check_vectors(planner, 1);
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    map.pixels = planner.operand(1).pixels;
    const core::Precision precision = planner.spec().execution.precision;
    const Index lmax = planner.operand(0).alm->layout().lmax();
    if (lmax < map.kind.max_spin())
      planner.refuse_operand(0, fmt::format("has lmax = {}, below its spin {}", lmax, map.kind.max_spin()));
    try {
      nufft::choose_kernel(lmax, accuracy_in(precision), precision);
    } catch (const core::InputError& error) {
      planner.rethrow("accuracy", error.what());
    }
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const ValueInfo& alm = plan.values[planned.operands[0]];
    const ValueInfo& map = plan.values[planned.results[0]];
    return in_precision_of(
        plan, [&]<class T>() { return ops::lens_memory<T>(spec_of(alm, plan.spec.execution), *map.pixels, rank); });
  }

  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    if (!backend::has_device(plan.spec.execution.backend)) return std::nullopt;
    const ValueInfo& alm = plan.values[planned.operands[0]];
    const ValueInfo& map = plan.values[planned.results[0]];
    return in_precision_of(plan, [&]<class T>() {
      const auto memory = ops::lens_device_memory<T>(spec_of(alm, plan.spec.execution), *map.pixels, rank);
      return std::optional(DeviceUse{memory, Index{0}});
    });
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    const transform::MapField<T>& vectors = step.map(1);
    points::PointTransformSpec spec = spec_of(step.operand_info(0), step.execution());
    if (backend::has_device(spec.backend)) spec.device_work = step.device().work_bytes;
    const transform::Monitor monitor{.timers = &step.record().timers};
    const bool shared = !step.operand_info(1).per_item;
    std::unique_ptr<ops::Lens<T>> own;
    for (Index k = 0; k < map.maps(); ++k) {
      const auto make = [&] {
        return std::make_unique<ops::Lens<T>>(step.comm(), vectors, vectors.maps() == 1 ? 0 : k, spec, monitor);
      };
      if (!shared) own = make();
      ops::Lens<T>& lens = shared ? step.template keep<ops::Lens<T>>(make) : *own;
      lens(step.alm(0), step.alm(0).maps() == 1 ? 0 : k, map, k);
    }
  }

 private:
  double accuracy_in(core::Precision precision) const {
    return accuracy.value_or(precision == core::Precision::kSingle ? kDefaultAccuracyInSingle : kDefaultAccuracy);
  }
  points::PointTransformSpec spec_of(const ValueInfo& alm, const ExecutionSpec& execution) const {
    return {.kind = alm.kind,
            .alm = alm.alm,
            .accuracy = accuracy_in(execution.precision),
            .backend = execution.backend,
            .engine = execution.options.engine};
  }
};

struct LensKeys {
  std::string alm, potential, deflection, out;
  GridSpec grid;
  std::optional<double> accuracy;

  static Keys<LensKeys> keys() {
    using K = KeyMakers<LensKeys>;
    return {K::value_name("alm", &LensKeys::alm, ValueSort::kAlm, "the unlensed coefficients").required(),
            K::value_name("potential", &LensKeys::potential, ValueSort::kAlm,
                          "the lensing potential: a scalar, whose gradient [rad] displaces each pixel")
                .fallback("exactly one of `potential` and `deflection`"),
            K::value_name(
                "deflection", &LensKeys::deflection, ValueSort::kAlm,
                "the displacement itself: E, B of a field of spin 1 [rad]; of a potential, E = sqrt(l (l + 1)) a_lm")
                .fallback("exactly one of `potential` and `deflection`"),
            K::grid("grid", &LensKeys::grid, "the grid of the map").required(),
            K::other("accuracy", "number, at most 0.5",
                     "relative error of the values, [transforms at points](lensing.md#accuracy)",
                     [](LensKeys& keys, const YamlValue& value, const ParseContext&) {
                       keys.accuracy = parse_finite(value);
                     })
                .fallback("1e-7; in single precision 1e-6"),
            K::result_name("out", &LensKeys::out, "the lensed map").required()};
  }

  void finish(const YamlValue& value) const {
    if (potential.empty() == deflection.empty())
      value.fail(potential.empty() ? "has neither potential nor deflection: give one of the two"
                                   : "has both potential and deflection: give one of the two");
  }

  Operations expand() const {
    const std::string vectors = out + " (deflection)";
    Operations steps;
    if (deflection.empty())
      steps.push_back(std::make_shared<const Gradient>("potential", potential, grid, vectors));
    else
      steps.push_back(std::make_shared<const Synthesis>(deflection, grid, vectors, "deflection"));
    steps.push_back(std::make_shared<const Displace>(alm, vectors, accuracy, out));
    return steps;
  }
};

struct PointingStep final : Step<PointingStep> {
  static Keys<PointingStep> keys() {
    return {operand("map", ValueSort::kMap, "the displacement: a map of tangent vectors along theta and phi [rad]"),
            result("THETA, PHI of each displaced pixel, and the angle GAMMA of parallel transport [rad]")};
  }
  void plan(StepPlanner& planner) const override {
    check_vectors(planner, 0);
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    const std::vector<transform::FieldKind> kinds{transform::FieldKind::scalar("THETA"),
                                                  transform::FieldKind::scalar("PHI"),
                                                  transform::FieldKind::scalar("GAMMA")};
    map.kind = transform::FieldKind::joined(kinds);
    map.units.assign(3, "rad");
    map.pixels = planner.operand().pixels;
  }
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    return {.workspace =
                3 * plan.values[planned.results[0]].pixels->local_pixels(rank) * static_cast<Index>(sizeof(double))};
  }
  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    step.local("pointing", [&] {
      for (Index k = 0; k < map.maps(); ++k) {
        const ops::Pointing pointing = ops::displace(step.map(), step.map().maps() == 1 ? 0 : k);
        const std::vector<double>* angles[] = {&pointing.theta, &pointing.phi, &pointing.gamma};
        for (Index c = 0; c < 3; ++c)
          std::ranges::transform(*angles[c], map.component(k, c).begin(), [](double x) {
            const T angle = static_cast<T>(x);
            return angle >= static_cast<T>(2 * core::kPi) ? T(0) : angle;
          });
      }
    });
  }
};

}  // namespace

OperationKind lens() { return composed_kind<LensKeys>("lens", "A [lensed](lensing.md) map"); }

OperationKind pointing() {
  return PointingStep::kind("pointing", "Where each pixel goes when it is displaced by a map of tangent vectors");
}

}  // namespace armilla::job::steps

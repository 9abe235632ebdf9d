// Lensing: values of fields at displaced pixels.
#include <armilla/job/steps/lensing.hpp>
#include <armilla/job/steps/parts.hpp>
#include <armilla/job/steps/rows.hpp>
#include <armilla/ops/lensing.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

/// The values of alm at the pixels of a map of tangent vectors, displaced by them.
struct Displace final : Step<Displace> {
  PointAccuracy accuracy;

  /// Displaces by `vectors`, which were computed from the value `given` under `key`.
  Displace(const std::string& alm, const std::string& vectors, const std::string& key, const std::string& given,
           PointAccuracy asked, const std::string& out)
      : accuracy(asked) {
    take("alm", alm, ValueSort::kAlm);
    take(key, vectors, ValueSort::kMap, given);
    make(out);
  }

  bool has_time_model() const override { return false; }
  void plan(StepPlanner& planner) const override {
    check_vectors(planner, 1);
    ValueInfo& map = planner.make_field(ValueSort::kMap);
    map.pixels = planner.operand(1).pixels;
    map.coordsys = planner.common_coordinates(0);
    const Index lmax = planner.operand(0).alm->layout().lmax();
    planner.check_spins(map.kind, lmax);
    accuracy.check(planner, lmax);
  }

  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    const ValueInfo& alm = plan.values[planned.operands[0]];
    const ValueInfo& map = plan.values[planned.results[0]];
    return in_precision_of(plan, [&]<class T>() {
      return ops::lens_memory<T>(point_spec(alm, accuracy, plan.spec.execution, 1), *map.pixels, rank);
    });
  }

  std::string plan_note(const JobPlan& plan, const PlannedStep& planned) const override {
    return lmax_note(plan, plan.values[planned.operands[0]].alm->layout().lmax(), planned.operands[1]);
  }

  bool uses_device(const PlannedStep&) const override { return true; }
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override {
    return lens_device_use(plan, point_spec(plan.values[planned.operands[0]], accuracy, plan.spec.execution, 1),
                           *plan.values[planned.results[0]].pixels, rank);
  }

  template <class T>
  void execute(StepRun<T>& step) const {
    transform::MapField<T>& map = step.make_map();
    const transform::MapField<T>& vectors = step.map(1);
    points::PointTransformSpec spec = point_spec(step.operand_info(0), accuracy, step.execution(), 1);
    spec.device_work = step.device_work();
    const transform::Monitor monitor{.timers = &step.record().timers};
    const bool shared = !step.operand_info(1).per_item;
    std::unique_ptr<ops::Lens<T>> own;
    for (Index k = 0; k < map.maps(); ++k) {
      const auto make = [&] {
        const Index number = vectors.maps() == 1 ? 0 : k;
        warn_of_deflection(step, vectors, number, shared ? std::nullopt : std::optional(k));
        return std::make_unique<ops::Lens<T>>(step.comm(), vectors, number, spec, monitor);
      };
      if (!shared) {
        own.reset();  // freed before the next allocation
        own = make();
      }
      ops::Lens<T>& lens = shared ? step.template keep<ops::Lens<T>>(make) : *own;
      // All maps are overwritten, so that none is copied there.
      if (k == 0) step.local("allocate", [&] { map.overwrite(lens.memory()); });
      lens(step.alm(0), step.alm(0).maps() == 1 ? 0 : k, map, k);
    }
  }
};

struct LensKeys {
  std::string alm, potential, deflection, out;
  GridSpec grid;
  PointAccuracy accuracy;

  static Keys<LensKeys> keys() {
    using K = KeyMakers<LensKeys>;
    return {K::value_name("alm", &LensKeys::alm, ValueSort::kAlm, "the unlensed coefficients").required(),
            potential_key<LensKeys>(),
            deflection_key<LensKeys>(),
            K::grid("grid", &LensKeys::grid, "the grid of the map").required(),
            accuracy_key<LensKeys>("relative error of the values, from [transforms at points](lensing.md#accuracy)",
                                   "1e-7; in single precision 1e-6"),
            K::result_name("out", &LensKeys::out, "the lensed map").required()};
  }

  void finish(const YamlValue& value) const { check_deflection_keys(value, potential, deflection); }

  Operations expand() const {
    const std::string vectors = out + " (deflection)";
    Operations steps;
    const bool of_potential = deflection.empty();
    if (of_potential)
      steps.push_back(std::make_shared<const Gradient>("potential", potential, grid, vectors));
    else
      steps.push_back(std::make_shared<const Synthesis>(deflection, grid, vectors, "deflection"));
    steps.push_back(std::make_shared<const Displace>(alm, vectors, of_potential ? "potential" : "deflection",
                                                     of_potential ? potential : deflection, accuracy, out));
    return steps;
  }
};

/// Warns of a gradient per metre whose potential has no unit to confirm it.
void warn_of_radius(StepPlanner& planner) {
  for (const StepSpec& step : planner.spec().steps) {
    const auto* gradient = dynamic_cast<const Gradient*>(step.operation.get());
    if (gradient == nullptr || !gradient->radius || gradient->results().front() != planner.operand().name) continue;
    if (planner.planned().warnings.empty())
      planner.warn({}, fmt::format("displacements must be in rad, but '{}' is a gradient with radius_m ({}): check its "
                                   "unit",
                                   planner.operand().name, mention(step.place)));
  }
}

struct PointingStep final : Step<PointingStep> {
  static Keys<PointingStep> keys() {
    return {operand("map", ValueSort::kMap, "the displacement: a map of tangent vectors along theta and phi [rad]"),
            result("THETA, PHI of each displaced pixel, and the parallel-transport angle GAMMA [rad]")};
  }
  void plan(StepPlanner& planner) const override {
    check_vectors(planner, 0);
    warn_of_radius(planner);
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
    const bool shared = !step.operand_info().per_item;
    for (Index k = 0; k < step.map().maps(); ++k)
      warn_of_deflection(step, std::as_const(step.map()), k, shared ? std::nullopt : std::optional(k));
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

OperationKind lens() {
  return composed_kind<LensKeys>("lens", "Synthesise a [lensed](lensing.md) map from coefficients");
}

OperationKind pointing() {
  return PointingStep::kind("pointing",
                            "Compute the position of each pixel after displacement by a map of tangent vectors");
}

}  // namespace armilla::job::steps

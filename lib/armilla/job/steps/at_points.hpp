#pragma once

#include <armilla/cost/point_work.hpp>
#include <armilla/job/plan/memory_model.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/points/point_transform.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

/// Common code of steps that transform between coefficients and values at points.
namespace armilla::job::steps {

/// Note in a dry run of such a step.
inline constexpr const char* kPointsNote = "memory predicted for points evenly distributed over the sphere";

/// The value of a key `accuracy` of transforms at points.
struct PointAccuracy {
  std::optional<double> asked;
  double fallback = 1e-7;  ///< in double precision

  double in(core::Precision precision) const;
  /// Throws InputError if the precision cannot reach it for coefficients of that lmax.
  void check(const StepPlanner& planner, Index lmax) const;
};

/// For steps that take the points of a catalogue.
inline constexpr PointAccuracy kCatalogueAccuracy{.asked = {}, .fallback = 1e-10};

/// The key `accuracy` of a Section with that member.
template <class Section>
KeyOf<Section> accuracy_key(std::string help, std::string fallback) {
  return KeyMakers<Section>::other("accuracy", "number, at most 0.5", std::move(help),
                                   [](Section& section, const YamlValue& value, const ParseContext&) {
                                     section.accuracy.asked = parse_finite(value);
                                   })
      .fallback(std::move(fallback));
}
/// accuracy_key() with the default of kCatalogueAccuracy.
template <class Section>
KeyOf<Section> catalogue_accuracy_key() {
  return accuracy_key<Section>("relative error of the [transform](points.md#accuracy)",
                               "1e-10; in single precision 1e-6");
}

/// The transform of `maps` maps between coefficients `alm` and points, in the precision and on the backend of the job.
points::PointTransformSpec point_spec(const ValueInfo& alm, const PointAccuracy& accuracy,
                                      const ExecutionSpec& execution, Index maps);

/// Throws InputError for an lmax below the spins of the coefficients `alm`, and for an accuracy that cannot be reached.
void check_point_step(StepPlanner& planner, const ValueInfo& alm, const PointAccuracy& accuracy);

/// Throws InputError if the second operand differs from the first in the number of points.
void check_same_catalogue(const StepPlanner& planner);

/// Memory of such a transform on `rank` for the points of a value.
core::MemoryEstimate point_memory(const JobPlan& plan, const points::PointTransformSpec& spec, const ValueInfo& points,
                                  int rank);

/// Device memory of such a transform, including the coefficients; std::nullopt if the job has no device.
std::optional<DeviceUse> point_device_use(const JobPlan& plan, const points::PointTransformSpec& spec,
                                          const ValueInfo& points, int rank);

/// Work of such transforms over the ranks of the plan.
StepWork points_work(const JobPlan& plan, const points::PointTransformSpec& spec, const ValueInfo& points,
                     const cost::PointPasses& passes);

/// Collective. The transform to the points of a step, shared by all batches of a campaign.
template <class T>
points::PointTransform<T>& point_transform(StepRun<T>& step, points::PointTransformSpec spec,
                                           const points::LocalPoints& places) {
  return step.template keep<points::PointTransform<T>>([&] {
    spec.device_work = step.device_work();
    const core::ScopedPhase timer(step.record().timers, "plan points");
    return std::make_unique<points::PointTransform<T>>(
        step.comm(), spec, places.theta, places.phi,
        transform::Monitor{.timers = &step.record().timers, .bytes_sent = &step.record().bytes_sent});
  });
}

/// The values of an alm at points.
struct SynthesisAt final : Step<SynthesisAt> {
  PointAccuracy accuracy = kCatalogueAccuracy;

  SynthesisAt() = default;
  /// Uses the operands and result with these names; `given` is the name in the job from which `alm` was derived.
  SynthesisAt(const std::string& alm, const std::string& points, PointAccuracy asked, const std::string& out,
              const std::string& given = {});
  static Keys<SynthesisAt> keys();
  void plan(StepPlanner& planner) const override;
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const override;
  std::string plan_note(const JobPlan&, const PlannedStep&) const override { return kPointsNote; }
  bool uses_device(const PlannedStep&) const override { return true; }
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

}  // namespace armilla::job::steps

#include <armilla/core/error.hpp>
#include <armilla/job/steps/at_points.hpp>

#include <cmath>

#include <fmt/format.h>

namespace armilla::job::steps {

namespace {

constexpr double kDefaultInSingle = 1e-6;

/// Number of points of each pair of rows, for `points` evenly distributed points (points::PointOwners).
std::vector<Index> spread_evenly(Index points, Index rows) {
  std::vector<Index> counts;
  Index before = 0;
  for (Index pair = 0; pair < rows / 2; ++pair) {
    // Fraction of the sphere covered by both caps up to the end of the pair.
    const double share = 1 - std::cos(core::kPi * static_cast<double>(pair + 1) / static_cast<double>(rows));
    const Index until =
        pair + 1 == rows / 2 ? points : static_cast<Index>(std::llround(share * static_cast<double>(points)));
    counts.push_back(until - before);
    before = until;
  }
  return counts;
}

}  // namespace

double PointAccuracy::in(core::Precision precision) const {
  return asked.value_or(precision == core::Precision::kSingle ? kDefaultInSingle : fallback);
}

void PointAccuracy::check(const StepPlanner& planner, Index lmax) const {
  const core::Precision precision = planner.spec().execution.precision;
  try {
    nufft::choose_kernel(lmax, in(precision), precision);
  } catch (const core::InputError& error) {
    planner.rethrow("accuracy", marked_text(error));
  }
}

points::PointTransformSpec point_spec(const ValueInfo& alm, const PointAccuracy& accuracy,
                                      const ExecutionSpec& execution, Index maps) {
  return {.kind = alm.kind,
          .alm = alm.alm,
          .maps = maps,
          .accuracy = accuracy.in(execution.precision),
          .backend = execution.backend,
          .engine = execution.options.engine};
}

void check_point_step(StepPlanner& planner, const ValueInfo& alm, const PointAccuracy& accuracy) {
  const Index lmax = alm.alm->layout().lmax();
  planner.check_spins(alm.kind, lmax);
  accuracy.check(planner, lmax);
}

void check_same_catalogue(const StepPlanner& planner) {
  const Index own = planner.operand(0).catalogue->points, other = planner.operand(1).catalogue->points;
  if (own != other)
    planner.refuse_operand(1, fmt::format("has {} points, but '{}' has {}: use values of the same catalogue", other,
                                          planner.operand(0).name, own));
}

core::MemoryEstimate point_memory(const JobPlan& plan, const points::PointTransformSpec& spec, const ValueInfo& points,
                                  int rank) {
  return in_precision_of(plan, [&]<class T>() {
    using Of = points::PointTransform<T>;
    return Of::memory(spec, spread_evenly(points.catalogue->points, Of::rows(spec)), plan.ranks, rank,
                      local_points(plan, points, rank));
  });
}

StepWork points_work(const JobPlan& plan, const points::PointTransformSpec& spec, const ValueInfo& points,
                     const cost::PointPasses& passes) {
  return in_precision_of(plan, [&]<class T>() {
    return StepWork{cost::point_work<T>(spec, points.catalogue->points, plan.ranks, passes),
                    plan.ranks > 1 ? "assuming points evenly distributed over the sphere" : ""};
  });
}

std::optional<DeviceUse> point_device_use(const JobPlan& plan, const points::PointTransformSpec& spec,
                                          const ValueInfo& points, int rank) {
  if (!backend::has_device(spec.backend)) return std::nullopt;
  return in_precision_of(plan, [&]<class T>() {
    using Of = points::PointTransform<T>;
    const auto memory =
        Of::device_memory(spec, spread_evenly(points.catalogue->points, Of::rows(spec)), plan.ranks, rank);
    return std::optional(DeviceUse{memory, Index{0}});
  });
}

}  // namespace armilla::job::steps

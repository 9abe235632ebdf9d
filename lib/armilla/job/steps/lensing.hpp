#pragma once

#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/deflection.hpp>

#include <optional>
#include <string>

/// Common code of lensing steps.
namespace armilla::job::steps {

/// Throws InputError unless the operand with index `number` is a single field of tangent vectors along theta and phi;
/// warns about units.
void check_vectors(StepPlanner& planner, std::size_t number);

/// Collective. Checks the map with index `map` of vectors, which is the map `place` of the batch, or applies to all of
/// its maps if `place` is unset. Warns about pixels displaced by more than pi, and about pixels where displaced
/// positions cross, as far as the map shows this.
template <class T>
void warn_of_deflection(StepRun<T>& step, const transform::MapField<T>& vectors, Index map, std::optional<Index> place);

/// A note if the lmax of a field and that of the deflection from which the value with index `vectors` was computed
/// differ; otherwise empty.
std::string lmax_note(const JobPlan& plan, Index lmax, std::size_t vectors);

/// Device memory of the point transform of a lens on these pixels; std::nullopt if the job has no device.
std::optional<DeviceUse> lens_device_use(const JobPlan& plan, const points::PointTransformSpec& spec,
                                         const dist::PixelDistribution& pixels, int rank);

/// The coefficients of a deflection, of a potential or of E, B of a field of spin 1.
struct Deflection final : Step<Deflection> {
  ops::DeflectionParts parts = ops::DeflectionParts::kVectors;

  /// Uses whichever of the two names is not empty; each is the value of the key with its name.
  Deflection(const std::string& potential, const std::string& deflection, ops::DeflectionParts parts,
             const std::string& out);
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

// The keys of a Section with members `potential` and `deflection`.

template <class Section>
KeyOf<Section> potential_key() {
  return KeyMakers<Section>::value_name("potential", &Section::potential, ValueSort::kAlm,
                                        "the lensing potential: a scalar whose gradient [rad] displaces each pixel")
      .requirement("exactly one of `potential` and `deflection` is required");
}
template <class Section>
KeyOf<Section> deflection_key() {
  return KeyMakers<Section>::value_name(
             "deflection", &Section::deflection, ValueSort::kAlm,
             "the displacement itself, as E, B of a field of spin 1 [rad]; for a potential, E = sqrt(l (l + 1)) a_lm")
      .requirement("exactly one of `potential` and `deflection` is required");
}
/// Throws InputError unless a section has exactly one of them.
void check_deflection_keys(const YamlValue& section, const std::string& potential, const std::string& deflection);

}  // namespace armilla::job::steps

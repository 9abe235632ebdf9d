#pragma once

#include <armilla/job/steps/at_points.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/deflection.hpp>

#include <optional>
#include <string>

/// What the steps of lensing share.
namespace armilla::job::steps {

/// Refuses operand number `number` where it is not one field of tangent vectors along theta and phi, and warns of
/// units.
void check_vectors(StepPlanner& planner, std::size_t number);

/// Warns of pixels of map number `map` of vectors, `place` of the batch or nothing for all of its maps, that a lens
/// does not move as far, and of those where displaced pixels cross, as far as the map tells. Collective.
template <class T>
void warn_of_deflection(StepRun<T>& step, const transform::MapField<T>& vectors, Index map, std::optional<Index> place);

/// Says where the lmax of a field and of the deflection, of which value number `vectors` was made, differ; empty if
/// they do not.
std::string lmax_note(const JobPlan& plan, Index lmax, std::size_t vectors);

/// What the point transform of a lens on these pixels takes of a device; nothing if the job has none.
std::optional<DeviceUse> lens_device_use(const JobPlan& plan, const points::PointTransformSpec& spec,
                                         const dist::PixelDistribution& pixels, int rank);

/// The coefficients of a deflection, of a potential or of E, B of a field of spin 1.
struct Deflection final : Step<Deflection> {
  ops::DeflectionParts parts = ops::DeflectionParts::kVectors;

  /// Of the one of the two names that is not empty, each the value of the key of its name.
  Deflection(const std::string& potential, const std::string& deflection, ops::DeflectionParts parts,
             const std::string& out);
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

// Keys of a Section with members `potential` and `deflection`.

template <class Section>
KeyOf<Section> potential_key() {
  return KeyMakers<Section>::value_name("potential", &Section::potential, ValueSort::kAlm,
                                        "the lensing potential: a scalar, whose gradient [rad] displaces each pixel")
      .fallback("exactly one of `potential` and `deflection`");
}
template <class Section>
KeyOf<Section> deflection_key() {
  return KeyMakers<Section>::value_name(
             "deflection", &Section::deflection, ValueSort::kAlm,
             "the displacement itself: E, B of a field of spin 1 [rad]; for a potential, E = sqrt(l (l + 1)) a_lm")
      .fallback("exactly one of `potential` and `deflection`");
}
/// Throws InputError if a section has both of them, or neither.
void check_deflection_keys(const YamlValue& section, const std::string& potential, const std::string& deflection);

}  // namespace armilla::job::steps

#pragma once

#include <armilla/job/steps/step.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/mask.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Building blocks of composite steps, and common code of several steps.
namespace armilla::job::steps {

/// Components of a field: several by their names, or one by its index.
using Components = std::variant<std::vector<std::string>, core::Index>;

/// The indices of `components` of a map or alm, ascending. Throws InputError "<rest of a message>".
std::vector<Index> numbers_of(const Components& components, const ValueInfo& value);

/// The units of some components of a value.
std::vector<std::string> units_of(const ValueInfo& value, const std::vector<Index>& components);

/// Selects some components of a field as a separate field.
struct Select final : Step<Select> {
  Components components;

  Select() = default;
  /// Uses the operand and result with these names.
  Select(ValueSort sort, const std::string& from, Components which, const std::string& out);
  static Keys<Select> keys();
  void finish(const YamlValue& value) const;
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  bool keeps_bad_pixels() const override { return true; }
};

/// An alm with all other components set to zero; used for `only` of a synthesis.
struct KeepOnly final : Step<KeepOnly> {
  Components components;

  KeepOnly(const std::string& alm, Components which, const std::string& out);
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  bool reuses_operand() const override { return true; }
};

/// The map of an alm on a grid.
struct Synthesis final : Step<Synthesis> {
  std::optional<GridSpec> onto;  ///< unset: that of the map `like`
  std::string like;

  /// Uses the operand given by `key`, the grid, and the result with these names.
  Synthesis(const std::string& alm, const GridSpec& grid, const std::string& out, const std::string& key = "alm");
  /// Uses the operand and the grid of the map `like`, whose values are ignored.
  Synthesis(const std::string& alm, const std::string& like, const std::string& out);
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

/// The gradient of scalars: a map of tangent vectors.
struct Gradient final : Step<Gradient> {
  GridSpec grid_spec;
  ops::TangentAxes axes = ops::TangentAxes::kThetaPhi;
  std::optional<double> radius;

  Gradient() = default;
  /// Uses the operand given by `key` and the result with these names, along theta and phi on the unit sphere.
  Gradient(const std::string& key, const std::string& alm, const GridSpec& grid, const std::string& out);
  static Keys<Gradient> keys();
  void plan(StepPlanner& planner) const override;
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

/// The gradient of scalars as coefficients: E, B of tangent vectors.
struct GradientAlm final : Step<GradientAlm> {
  ops::TangentAxes axes;
  std::optional<double> radius;

  /// Uses the operand given by `alm` and the result with these names.
  GradientAlm(const std::string& alm, ops::TangentAxes along, std::optional<double> of_radius, const std::string& out);
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
};

/// A map times a mask, and 0 or bad if the mask is 0.
struct Mask : Step<Mask> {
  ops::Outside outside = ops::Outside::kZero;

  Mask() = default;
  /// Uses the operands and result with these names.
  Mask(const std::string& map, const std::string& mask, const std::string& out);
  static Keys<Mask> keys();
  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  bool reuses_operand() const override { return true; }
  bool keeps_bad_pixels() const override { return true; }
};

/// Collective. Throws InputError if a mask, the operand with index `number`, is 0 everywhere in all components. If each
/// map of a campaign has its own mask, leaves those maps out.
template <class T>
void refuse_empty_mask(StepRun<T>& step, std::size_t number);

/// The key `axes` of tangent vectors.
template <class Section>
KeyOf<Section> axes_key(ops::TangentAxes Section::*member) {
  return KeyMakers<Section>::choice("axes", member, {"theta_phi", "east_north"}, "axes of the two vector components");
}

/// The key `radius_m`: the radius of the sphere in metres; if unset, 1 without a unit.
template <class Section>
KeyOf<Section> radius_key(std::optional<double> Section::*member);

/// Throws InputError unless the number is positive.
double parse_radius(const YamlValue& value);

/// `unit` times m^power. Units of winds and derived quantities keep their usual form: m/s, 1/s, m^2/s. Empty if `unit`
/// is.
std::string times_length(const std::string& unit, int power);

template <class Section>
KeyOf<Section> radius_key(std::optional<double> Section::*member) {
  return KeyMakers<Section>::other("radius_m", "number above 0",
                                   "radius of the sphere [m]; if absent: 1, without a unit",
                                   [member](Section& section, const YamlValue& value, const ParseContext&) {
                                     section.*member = parse_radius(value);
                                   });
}

}  // namespace armilla::job::steps

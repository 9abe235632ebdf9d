#pragma once

#include <armilla/job/steps/analysis_method.hpp>
#include <armilla/job/steps/kernel_spec.hpp>
#include <armilla/job/steps/step.hpp>
#include <armilla/ops/radial_convolution.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// Options of a step that apply to all its kernels.
struct ConvolveOptions {
  std::optional<double> cutoff_deg, cutoff_error, mode_error;
  std::optional<Reference> spectrum;
  ops::RadialMethod method = ops::RadialMethod::kAuto;
  bool truncate = false;
  bool interpolated = false;
  std::optional<ops::WeightsSpec> weights = ops::WeightsSpec{};

  template <class Section>
  static Keys<Section> rows() {
    using K = KeyMakers<Section>;
    return {
        K::number("cutoff_deg", static_cast<std::optional<double> Section::*>(&ConvolveOptions::cutoff_deg), 1e-6, 180,
                  "the angle at which the kernel is truncated [degrees]")
            .fallback("determined by `cutoff_error`"),
        K::other("cutoff_error", "number between 0 and 1",
                 "the largest relative rms error due to truncation of the kernel",
                 [](Section& section, const YamlValue& value, const ParseContext&) {
                   section.cutoff_error = parse_finite(value);
                   if (!(*section.cutoff_error > 0 && *section.cutoff_error < 1))
                     value.fail("is not a valid relative error: use a number between 0 and 1, such as 1e-6");
                 })
            .fallback("1e-6"),
        K::reference("spectrum", static_cast<std::optional<Reference> Section::*>(&ConvolveOptions::spectrum),
                     ValueSort::kSpectra,
                     "the power spectrum C_l (not D_l) assumed by `cutoff_error`: column TT, or the only column")
            .fallback("the worse of a flat spectrum and a pure monopole"),
        K::choice("method", static_cast<ops::RadialMethod Section::*>(&ConvolveOptions::method),
                  {"auto", "rings", "direct", "harmonic"}, "convolution [method](radial_kernels.md#methods)"),
        K::other("kernel_evaluation", "one of `exact`, `interpolated`",
                 "how `rings` and `direct` evaluate the kernel: from its formula, or from a "
                 "[table](radial_kernels.md#methods)",
                 [](Section& section, const YamlValue& value, const ParseContext&) {
                   section.interpolated = value.choice(std::vector<std::string>{"exact", "interpolated"}) == 1;
                 })
            .fallback("exact"),
        K::other("mode_error", "number between 0 and 1",
                 "the largest mode of the kernel that `rings` may omit, relative to the largest of all modes; 0 omits "
                 "none and is exact on any grid",
                 [](Section& section, const YamlValue& value, const ParseContext&) {
                   section.mode_error = parse_finite(value);
                   if (!(*section.mode_error >= 0 && *section.mode_error < 1))
                     value.fail("is not a valid relative error: use 0, or a number below 1, such as 1e-10");
                 })
            .fallback("a tenth of the jump of the kernel at the cutoff"),
        K::other(
            "super_nyquist", "one of `fold`, `truncate`",
            "treatment of modes beyond the Nyquist frequency of a ring: folded as the pixels alias them, or omitted",
            [](Section& section, const YamlValue& value, const ParseContext&) {
              section.truncate = value.choice(std::vector<std::string>{"fold", "truncate"}) == 1;
            })
            .fallback("fold"),
        K::other("weights", "one of `grid`, `ring`, `pixel`, `none`, or `{ring: {degree: 100}}`",
                 "pixel weights: the pixel areas, or with `none` 1 for each pixel, which makes the operator symmetric",
                 [](Section& section, const YamlValue& value, const ParseContext& context) {
                   if (!value.is_section() && value.text() == "none")
                     section.weights.reset();
                   else
                     section.weights = parse_weights(value, {"grid", "ring", "pixel", "none"}, context);
                 })
            .fallback("grid")};
  }
};

/// One result.
struct NamedKernel {
  KernelSpec kernel;
  std::string out;
  std::optional<GridSpec> grid;
};

/// Convolves one map with kernels.
struct Convolve final : Step<Convolve> {
  ConvolveOptions options;
  std::vector<NamedKernel> kernels;
  bool divides = false;  ///< the results are the divisors of those of the map

  Convolve(const std::string& map, const ConvolveOptions& how, std::vector<NamedKernel> with);

  void plan(StepPlanner& planner) const override;
  template <class T>
  void execute(StepRun<T>& step) const;
  core::MemoryEstimate memory(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  StepWork work(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) const override;
  bool uses_device(const PlannedStep& planned) const override;
  void plan_for_device(PlannedStep& planned) const override;
  std::optional<DeviceUse> device_use(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  /// The method of each kernel, with the reason.
  std::string plan_note(const JobPlan& plan, const PlannedStep& planned) const override;

 private:
  std::optional<std::vector<double>> assumed_spectrum(StepPlanner& planner) const;
  struct Plan;  ///< the state of a planned step
  template <class T>
  struct Kept;
};

}  // namespace armilla::job::steps

#pragma once

#include <armilla/job/parse/key_makers.hpp>
#include <armilla/job/run/step_run.hpp>
#include <armilla/job/steps/spectrum_keys.hpp>
#include <armilla/ops/analysis.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::job::steps {

/// The analysis method of a step: the values of its keys `method` and `tolerance`.
struct MethodSpec {
  ops::AnalysisMethod method;
  std::string key = "method";                        ///< key to name in messages: method.cg, tolerance
  std::optional<std::string> mask = {};              ///< name of a map
  std::optional<std::string> inverse_variance = {};  ///< name of a map
  bool allow_unconverged = false;
  bool is_given = false;                   ///< whether the key `method` is given
  std::optional<SpectrumKeys> prior = {};  ///< the section `regularise` of a fit

  /// Adds the spectra of the section `regularise`, if it has any, as the last operand of the step.
  void take_prior(Operation& step) const;
  /// Checks these spectra for the alm of a transform of `kind` up to lmax. `units` are those of the data. Throws
  /// InputError.
  void plan_prior(StepPlanner& planner, const transform::FieldKind& kind, Index lmax,
                  const std::vector<std::string>& units) const;
  /// The method as planned, whose memory is that of the method with spectra.
  ops::AnalysisMethod planned(const transform::FieldKind& kind, Index lmax) const;
  /// The method, with the spectra for the alm of that kind.
  template <class T>
  ops::AnalysisMethod with_prior(StepRun<T>& step, const transform::FieldKind& kind) const;
};

/// A method available in jobs: `name`, or `{name: {..}}` with these keys.
struct MethodKind {
  std::string name;
  std::string help;
  std::vector<Key> keys;
  /// `parameters`: null if the job gives only the name.
  MethodSpec (*parse)(const YamlValue* parameters, const ParseContext& context);
};

/// One row per method.
const std::vector<MethodKind>& method_kinds();

/// The name of a choice, with optional parameters: `name`, or `{name: {..}}`.
struct Choice {
  std::string name;
  std::optional<YamlValue> parameters;
};

/// One of `names`; `hint` shows the form of a choice with parameters. Throws InputError.
Choice parse_choice(const YamlValue& value, const std::vector<std::string>& names, const std::string& hint);

/// One of `names` of grid, ring, pixel, or a section such as `{ring: {degree: 100}}`. Throws InputError.
ops::WeightsSpec parse_weights(const YamlValue& value, const std::vector<std::string>& names,
                               const ParseContext& context);

/// The value of a key `method`. Throws InputError.
MethodSpec parse_method(const YamlValue& value, const ParseContext& context);

/// The value of a key `tolerance` next to `method`. Throws InputError, also if both are given.
MethodSpec parse_method_tolerance(const YamlValue& value, const MethodSpec& method);

/// The keys `method` and `tolerance` of a step, which must be in this order.
template <class Section>
KeyOf<Section> method_key(MethodSpec Section::*member) {
  return KeyMakers<Section>::other("method", "[method](#methods-of-analysis)",
                                   "quadrature weights and iteration scheme",
                                   [member](Section& section, const YamlValue& value, const ParseContext& context) {
                                     section.*member = parse_method(value, context);
                                   })
      .fallback("quadrature");
}
template <class Section>
KeyOf<Section> tolerance_key(MethodSpec Section::*member) {
  return KeyMakers<Section>::other(
      "tolerance", "number between 0 and 1",
      "instead of `method`: the [accuracy](job_reference.md#least-squares) of the coefficients",
      [member](Section& section, const YamlValue& value, const ParseContext&) {
        section.*member = parse_method_tolerance(value, section.*member);
      });
}

}  // namespace armilla::job::steps

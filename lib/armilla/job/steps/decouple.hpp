#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <string>

namespace armilla::job::steps {

/// C_l of a mask with one component: a step of its own, because one mask may serve many maps.
struct MaskSpectrum final : Operation {
  MaskSpectrum(const std::string& mask, const std::string& out);
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
  Index kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
  bool shares_kept(const Operation& other) const override;
};

/// `decouple: {spectra, mask, bin, out}`: spectra of masked maps without what the mask does to them: a MaskSpectrum,
/// and this.
struct Decouple final : Operation {
  std::string mask;  ///< name of the map
  Index width = 1;   ///< of bands of degrees

  /// `mask_spectrum`: the name of the result of the MaskSpectrum.
  Decouple(const YamlValue& value, const std::string& mask_spectrum);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
  Index kept_bytes(const JobPlan& plan, const PlannedStep& planned, int rank) const override;
};

}  // namespace armilla::job::steps

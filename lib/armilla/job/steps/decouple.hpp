#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `decouple: {spectra, mask, bin, out}`: spectra of masked maps without what the mask does to them.
struct Decouple final : Operation {
  Index width = 1;  ///< of bands of degrees

  Decouple(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  Index extra_bytes(const JobPlan& plan, const PlannedStep& planned, core::Precision precision,
                    int rank) const override;
};

}  // namespace armilla::job::steps

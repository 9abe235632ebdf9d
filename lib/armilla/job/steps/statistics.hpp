#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

namespace armilla::job::steps {

/// `statistics: {spectra, out}`: mean and covariance of the spectra of all maps of a campaign.
struct Statistics final : Operation {
  Statistics(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool gathers() const override { return true; }
};

}  // namespace armilla::job::steps

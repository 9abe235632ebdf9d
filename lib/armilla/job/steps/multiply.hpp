#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armilla::job::steps {

/// `multiply: {alm, by, out}`: an alm times a function of l: that of a file, 1 within a band of l, or a power of the
/// Laplacian.
struct Multiply final : Operation {
  /// Exactly one of the three is there.
  std::optional<std::pair<Place, std::string>> window;
  std::optional<std::pair<Index, Index>> band;  ///< first and last l
  std::optional<double> laplacian_power;

  Multiply(const YamlValue& value, const ParseContext& context);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
  std::vector<std::pair<Place, std::string>> files() const override;
};

}  // namespace armilla::job::steps

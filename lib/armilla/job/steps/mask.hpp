#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <string>

namespace armilla::job::steps {

/// `mask: {map, mask, out}`: a map times a mask, and 0 where the mask is 0.
struct Mask : Operation {
  Mask(const YamlValue& value, const ParseContext& context);
  /// Of the operands and with the result of these names.
  Mask(const std::string& map, const std::string& mask, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

/// Refuses the mask, operand number `number`, where it cannot lie on the first operand.
void check_mask(const StepPlanner& planner, std::size_t number);

/// Collective. Refuses a mask, operand number `number`, that is 0 everywhere, in all components; where each map of a
/// campaign has its own, leaves those maps out.
template <class T>
void refuse_empty_mask(StepRun<T>& step, std::size_t number);

extern template void refuse_empty_mask<float>(StepRun<float>&, std::size_t);
extern template void refuse_empty_mask<double>(StepRun<double>&, std::size_t);

}  // namespace armilla::job::steps

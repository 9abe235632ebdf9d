#pragma once

#include <armilla/job/operation.hpp>
#include <armilla/job/parse_values.hpp>

#include <string>
#include <variant>
#include <vector>

namespace armilla::job {
struct ValueInfo;
}

namespace armilla::job::steps {

/// Components of a field, by their names or by their number.
using Components = std::variant<std::vector<std::string>, core::Index>;

/// The numbers of `components` of a map or alm, ascending. Throws InputError "<rest of a message>".
std::vector<Index> numbers_of(const Components& components, const ValueInfo& value);

/// The units of some components of a value.
std::vector<std::string> units_of(const ValueInfo& value, const std::vector<Index>& components);

/// `select: {map or alm, fields, out}`: some components of a field, as a field of their own.
struct Select final : Operation {
  Components components;

  Select(const YamlValue& value, const ParseContext& context);
  /// Of the operand and with the result of these names.
  Select(ValueSort sort, const std::string& from, Components which, const std::string& out);
  static OperationKind kind();
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
};

/// An alm of which all other components are zero: what `only` of a synthesis stands for.
struct KeepOnly final : Operation {
  Components components;

  KeepOnly(const std::string& alm, Components which, const std::string& out);
  void plan(StepPlanner& planner) const override;
  void run(StepRun<float>& step) const override;
  void run(StepRun<double>& step) const override;
  bool reuses_operand() const override { return true; }
};

}  // namespace armilla::job::steps

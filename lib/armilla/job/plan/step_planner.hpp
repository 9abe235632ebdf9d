#pragma once

#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/plan_builder.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace armilla::job {

/// A step during planning: its operands, and the results that its operation declares. No member is collective.
class StepPlanner {
 public:
  StepPlanner(PlanBuilder& builder, const StepSpec& step, PlannedStep& planned);

  PlanBuilder& builder() { return builder_; }
  const JobSpec& spec() const { return builder_.spec(); }
  const Place& place() const { return step_.place; }
  const ValueInfo& operand(std::size_t number = 0) const { return builder_.value(planned_.operands[number]); }
  /// Returns a result for the operation to fill in; its name is already set.
  ValueInfo& result(std::size_t number = 0) { return results_[number]; }
  std::vector<ValueInfo>& results() { return results_; }
  PlannedStep& planned() { return planned_; }

  /// Throws InputError "<where>: <path>.<key> = <value> <rest>".
  [[noreturn]] void refuse_key(std::string_view key, const std::string& value, const std::string& rest) const {
    refuse(step_.place, key, value, rest);
  }
  /// The name of an operand in the job.
  const std::string& given_name(std::size_t number) const;
  /// The operand for texts of errors: "'sky'", or on command lines its file.
  std::string named(std::size_t number) const { return core::mention("value." + given_name(number), {}); }
  /// Advice to select components of an operand, if it is an input: " (select them with inputs.galaxy.fields)".
  std::string how_to_select(std::size_t number) const;
  /// Like refuse_key() for an operand, with its key and given_name().
  [[noreturn]] void refuse_operand(std::size_t number, const std::string& rest) const;
  /// Throws an InputError with the location, `key` and `message`.
  [[noreturn]] void rethrow(std::string_view key, const std::string& message) const {
    complain(step_.place, key, message);
  }
  /// Adds the warning "<where>: <path>.<key>: <text>"; without a key "<where>: <path>: <text>".
  void warn(std::string_view key, std::string text) const {
    planned_.warnings.push_back(spec().word(error_at(step_.place, key, std::move(text))));
  }
  /// Adds the warning "<where>: <path>.<key> = <value> <rest>".
  void warn_of_key(std::string_view key, const std::string& value, std::string rest) const {
    planned_.warnings.push_back(spec().word(value_error_at(step_.place, key, value, std::move(rest))));
  }

  /// Makes the first result a map or alm with the kind, units and coordinates of the first operand.
  ValueInfo& make_field(ValueSort sort);
  /// Declares that the step runs `transforms` transforms between these distributions, for the kind of `field`. Throws
  /// InputError if lmax is below one of its spins.
  void use_transform(const ValueInfo& field, std::shared_ptr<const dist::AlmDistribution> alm,
                     std::shared_ptr<const dist::PixelDistribution> pixels, std::size_t transforms);
  /// Throws InputError if lmax, of the step or of its first operand, is below a spin. use_transform() calls it.
  void check_spins(const transform::FieldKind& kind, Index lmax) const;
  /// Throws InputError if the second operand differs in kind from the first.
  void check_same_kind() const;
  /// Like check_same_kind(), and also compares lmax and mmax.
  void check_same_alm() const;
  /// The sky coordinates of the first two operands. If one is unspecified, the other applies. Throws InputError if they
  /// differ, with the advice to rotate the operand whose index is not `kept`.
  std::string common_coordinates(std::size_t kept) const;

 private:
  PlanBuilder& builder_;
  const StepSpec& step_;
  PlannedStep& planned_;
  std::vector<ValueInfo> results_;
};

}  // namespace armilla::job

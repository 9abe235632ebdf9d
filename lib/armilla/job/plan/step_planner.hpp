#pragma once

#include <armilla/job/parse/operation.hpp>
#include <armilla/job/plan/plan_builder.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace armilla::job {

/// One step while it is planned: what it is given, and what its operation says that it makes. Nothing in here is
/// collective.
class StepPlanner {
 public:
  StepPlanner(PlanBuilder& builder, const StepSpec& step, PlannedStep& planned);

  PlanBuilder& builder() { return builder_; }
  const JobSpec& spec() const { return builder_.spec(); }
  const Place& place() const { return step_.place; }
  const ValueInfo& operand(std::size_t number = 0) const { return builder_.value(planned_.operands[number]); }
  /// What the operation fills in; its name is there already.
  ValueInfo& result(std::size_t number = 0) { return results_[number]; }
  std::vector<ValueInfo>& results() { return results_; }
  PlannedStep& planned() { return planned_; }

  /// Throws InputError "<where>: <path>.<key> = <value> <rest>".
  [[noreturn]] void refuse_key(std::string_view key, const std::string& value, const std::string& rest) const {
    refuse(step_.place, key, value, rest);
  }
  /// What the job calls an operand.
  const std::string& given_name(std::size_t number) const;
  /// As refuse_key() for an operand, under its key and given_name().
  [[noreturn]] void refuse_operand(std::size_t number, const std::string& rest) const;
  /// Throws an InputError that has `message` after the place and `key`.
  [[noreturn]] void rethrow(std::string_view key, const std::string& message) const;

  /// The first result becomes a map or alm with the kind, units and coordinates of the first operand.
  ValueInfo& make_field(ValueSort sort);
  /// The step runs `transforms` transforms between these, of the kind of `field`. Refuses an lmax below its spins.
  void use_transform(const ValueInfo& field, std::shared_ptr<const dist::AlmDistribution> alm,
                     std::shared_ptr<const dist::PixelDistribution> pixels, std::size_t transforms);
  /// Refuses an lmax, of the step or of its first operand, below a spin; use_transform() does so.
  void check_spins(const transform::FieldKind& kind, Index lmax) const;
  /// Refuses the second operand where its kind differs from that of the first.
  void check_same_kind() const;
  /// As check_same_kind(), for lmax and mmax too.
  void check_same_alm() const;
  /// The sky coordinates of the first two operands. Where one of them does not say, the other one holds; refuses two
  /// that differ, and advises to rotate that which is not number `kept`.
  std::string common_coordinates(std::size_t kept) const;

 private:
  PlanBuilder& builder_;
  const StepSpec& step_;
  PlannedStep& planned_;
  std::vector<ValueInfo> results_;
};

}  // namespace armilla::job

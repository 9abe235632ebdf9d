#pragma once

#include <armilla/job/parse/operation.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>

namespace armilla::job {

/// A JobPlan under construction; one object per rank, all with the same content. Each part of planning has its own
/// file. No member is collective.
class PlanBuilder {
 public:
  explicit PlanBuilder(JobPlan& plan) : plan_(plan) {}

  /// Determines whether the job has many maps, and which.
  void campaign();
  /// Opens the headers of all inputs; for a pattern, the first readable file (plan_inputs.cpp).
  void inputs();
  /// Checks the steps in order and adds their results (plan_steps.cpp).
  void steps();
  /// Resolves the values that the outputs name; accesses no folder (plan_outputs.cpp).
  void outputs();
  /// Description of everything that this rank read from files, for comparison between ranks.
  const std::string& seen() const { return seen_; }

  // Used by steps.
  const JobSpec& spec() const { return plan_.spec; }
  /// Index of the value with that name, which must exist and have that sort.
  std::size_t find(const Place& place, const Operand& operand) const;
  const ValueInfo& value(std::size_t index) const { return plan_.values[index]; }
  std::shared_ptr<const dist::AlmDistribution> alm(Index lmax, Index mmax);
  /// One object for equal grids, so that transforms can be shared between steps.
  std::shared_ptr<const dist::PixelDistribution> pixels(std::shared_ptr<const grid::RingGrid> grid);
  std::shared_ptr<const dist::PixelDistribution> pixels(const GridSpec& grid);
  /// The state of a file before it is read.
  static core::SeenFile see(const std::string& file) { return {file, core::state_of(file)}; }
  /// Records a description of what was read from a file. Throws InputError if it has changed since see().
  void note(const core::SeenFile& file, const std::string& content);

 private:
  std::size_t add(const Place& place, ValueInfo value);
  std::vector<std::string> names() const;
  PlannedInput open(const InputSpec& input, ValueInfo& value);
  PlannedInput open_file(const InputSpec& input, const std::string& file, ValueInfo& value);
  PlannedInput open_catalogue(const InputSpec& input, const std::string& file, ValueInfo& value);

  JobPlan& plan_;
  std::vector<std::shared_ptr<const dist::AlmDistribution>> alms_;
  std::vector<std::shared_ptr<const dist::PixelDistribution>> pixels_;
  std::string seen_;
};

/// Throws InputError if coefficients of `value` cannot be stored in `convention`: unnormalised ones of spin fields, or
/// those with an lmax beyond the range of double.
void check_convention(const alm::Convention& convention, const ValueInfo& value);

/// The kind requested by `fields`. Throws InputError that names the location.
transform::FieldKind kind_of(const FieldsSpec& fields, const Place& place);

/// Not collective. Throws InputError for a path that is written twice or also read. `report_file` may be empty.
void check_output_names(const JobPlan& plan, const std::string& report_file);

/// Not collective; root only. Throws if a file of the job cannot be written: an unsupported extension, a missing
/// folder, no permission.
void check_output_places(const JobPlan& plan, const std::string& report_file);

/// Orders reading, steps, writing and freeing. Inputs are read before their first use, outputs are written when they
/// are computed, and fields are freed after their last use. A transform is kept if the next step with a transform uses
/// the same one. For a campaign, this is the part that runs once, before the batches. It comprises everything that does
/// not depend on a map, and the transforms of the batches, which are kept.
std::vector<Action> make_schedule(const JobPlan& plan);

/// The part of a campaign that runs for each batch. No transform is built. Outputs are written when they are freed, so
/// that their memory can be passed to the writer.
std::vector<Action> make_batch_schedule(const JobPlan& plan);

}  // namespace armilla::job

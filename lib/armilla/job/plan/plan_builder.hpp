#pragma once

#include <armilla/job/parse/operation.hpp>
#include <armilla/job/plan/plan.hpp>

#include <string>
#include <string_view>

namespace armilla::job {

/// Throws InputError "<where>: <path>.<key> = <value> <rest>".
[[noreturn]] void refuse(const Place& place, std::string_view key, const std::string& value, const std::string& rest);

/// A JobPlan under construction; one object per rank, all with the same content. The parts of planning are one file
/// each. Nothing in here is collective.
class PlanBuilder {
 public:
  explicit PlanBuilder(JobPlan& plan) : plan_(plan) {}

  /// Whether the job has many maps, and which.
  void campaign();
  /// Opens the headers of all inputs, of a pattern that of the first file that can be read (plan_inputs.cpp).
  void inputs();
  /// Checks step after step and adds what they make (plan_steps.cpp).
  void steps();
  /// Finds what the outputs name; looks at no folder (plan_outputs.cpp).
  void outputs();
  /// What this rank saw of the files, to be compared between ranks.
  const std::string& seen() const { return seen_; }

  // For the steps.
  const JobSpec& spec() const { return plan_.spec; }
  /// The value of that name, which must be there and of that sort.
  std::size_t find(const Place& place, const Operand& operand) const;
  const ValueInfo& value(std::size_t index) const { return plan_.values[index]; }
  std::shared_ptr<const dist::AlmDistribution> alm(Index lmax, Index mmax);
  /// One object for equal grids, so that transforms can be shared between steps.
  std::shared_ptr<const dist::PixelDistribution> pixels(std::shared_ptr<const grid::RingGrid> grid);
  std::shared_ptr<const dist::PixelDistribution> pixels(const GridSpec& grid);
  /// Remembers what was read from a file.
  void note(const std::string& file, const std::string& content) { seen_ += file + ": " + content + "\n"; }

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

/// Throws InputError if coefficients of `value` cannot follow `convention`: unnormalised ones of spin fields, or of
/// an lmax that leaves the range of double.
void check_convention(const alm::Convention& convention, const ValueInfo& value);

/// The kind that `fields` asks for. Throws InputError that names the place.
transform::FieldKind kind_of(const FieldsSpec& fields, const Place& place);

/// Not collective, for the root. Throws where a file of the job cannot be written to its place: an ending that is no
/// format, a missing folder, no permission, a path that is written twice or read as well. `report_file` may be empty.
void check_output_places(const JobPlan& plan, const std::string& report_file);

/// Not collective, for the root. Throws ResourceError if a folder has too little free space for the outputs.
void check_output_space(const JobPlan& plan);

/// Puts reading, steps, writing and freeing in order: inputs are read before their first use, outputs written when they
/// are made, fields freed after their last use, and a transform is kept while the next step that needs one needs the
/// same.
/// Of a campaign it is what runs once, before the batches: all that depends on none of the maps, and the transforms of
/// the batches, which stay.
std::vector<Action> make_schedule(const JobPlan& plan);

/// What runs for each batch of a campaign: no transform is built, and what is written is so when it is freed, so that
/// its memory can go to the writer.
std::vector<Action> make_batch_schedule(const JobPlan& plan);

}  // namespace armilla::job

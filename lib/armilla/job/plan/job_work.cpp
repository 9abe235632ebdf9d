#include <armilla/cost/transform_work.hpp>
#include <armilla/io/write.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/plan/job_work.hpp>
#include <armilla/job/plan/memory_model.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace armilla::job {

namespace {

using cost::Kernel;

enum class FileFormat { kHdf5, kFits, kText };

FileFormat format_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".h5" || ending == ".hdf5") return FileFormat::kHdf5;
  if (ending == ".fits" || ending == ".fit") return FileFormat::kFits;
  return FileFormat::kText;
}

Kernel reading(FileFormat format) {
  if (format == FileFormat::kHdf5) return Kernel::kReadHdf5;
  return format == FileFormat::kFits ? Kernel::kReadFits : Kernel::kReadText;
}
Kernel writing(FileFormat format) {
  if (format == FileFormat::kHdf5) return Kernel::kWriteHdf5;
  return format == FileFormat::kFits ? Kernel::kWriteFits : Kernel::kWriteText;
}

double file_bytes(const std::string& file) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<double>(bytes);
}

cost::Item file_item(Kernel kernel, double bytes) { return {kernel, 1, 1, {bytes, bytes}}; }

/// Counts of the transforms of a plan.
class Counts {
 public:
  Counts(const JobPlan& plan, CountedTransforms& counted) : of_step_(plan.steps.size()) {
    for (std::size_t i = 0; i < of_step_.size(); ++i) {
      const auto& spec = plan.steps[i].transform;
      if (!spec) continue;
      of_step_[i] = counted.of(*spec, bytes_of_number(plan));
      const auto here = of_step_.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(of_step_.begin(), here, *here) != here) continue;
      shares.push_back({plan.spec.steps[i].place.path, of_step_[i]->legendre().imbalance(plan.ranks),
                        of_step_[i]->rings().imbalance(plan.ranks)});
    }
  }

  const cost::TransformCounts* of(std::size_t step) const { return of_step_[step].get(); }
  std::vector<TransformShare> shares;

 private:
  std::vector<std::shared_ptr<const cost::TransformCounts>> of_step_;
};

class Parts {
 public:
  Parts(const JobPlan& plan, const Counts& counts, JobWork& work) : plan_(plan), counts_(counts), work_(work) {}

  std::vector<JobWork::Part> of(const std::vector<Action>& actions) {
    std::vector<JobWork::Part> parts;
    for (const Action& action : actions) {
      if (action.kind == ActionKind::kRead) parts.push_back(read(action.index));
      if (action.kind == ActionKind::kBuildTransform)
        parts.push_back(
            {"prepare " + plan_.spec.steps[action.index].place.path, counts_.of(action.index)->of_construction()});
      if (action.kind == ActionKind::kStep) parts.push_back(step(action.index));
      if (action.kind == ActionKind::kWrite) parts.push_back(write(action.index));
    }
    return parts;
  }

 private:
  JobWork::Part read(std::size_t index) const {
    const InputSpec& input = plan_.spec.inputs[index];
    const ValueInfo& value = plan_.values[plan_.inputs[index].value];
    const bool pattern = !input.items.files.empty();
    double bytes = 0;
    for (const std::string& file : input.files_of(0)) bytes += file_bytes(file);
    // A file that does not exist yet.
    if (bytes == 0 && input.expect)
      for (int rank = 0; rank < plan_.ranks; ++rank) bytes += static_cast<double>(field_bytes(plan_, value, 1, rank));
    if (value.per_item) bytes *= static_cast<double>(maps_of(plan_, value));
    if (value.per_item && !pattern) bytes /= static_cast<double>(plan_.campaign->maps());
    JobWork::Part part{fmt::format("read '{}'", input.name), {}};
    part.work.add(file_item(reading(format_of(input.file)), bytes));
    return part;
  }

  JobWork::Part write(std::size_t index) const {
    const OutputSpec& output = plan_.spec.outputs[index];
    const PlannedOutput& planned = plan_.outputs[index];
    auto bytes = static_cast<double>(planned.bytes);
    if (planned.form != OutputForm::kOne)
      bytes *= static_cast<double>(plan_.campaign->batch) / static_cast<double>(plan_.campaign->maps());
    JobWork::Part part{fmt::format("write '{}'", output.name), {}};
    part.work.add(file_item(writing(format_of(output.file)), bytes));
    const bool many = planned.form == OutputForm::kEach;
    part.work.add(file_item(Kernel::kFiles, many ? static_cast<double>(plan_.campaign->batch) : 1));
    return part;
  }

  JobWork::Part step(std::size_t index) const {
    const StepSpec& spec = plan_.spec.steps[index];
    const PlannedStep& planned = plan_.steps[index];
    const StepCost& cost = *spec.operation;
    StepWork step = cost.work(plan_, planned, counts_.of(index));
    if (!cost.has_time_model())
      work_.assumptions.push_back(fmt::format("{}: most of its time is not included", spec.place.path));
    if (!step.assumption.empty()) work_.assumptions.push_back(fmt::format("{}: {}", spec.place.path, step.assumption));
    JobWork::Part part{spec.place.path, std::move(step.work)};
    // Operands and results are each read or written once for the work, and once for the check for finite values.
    std::vector<double> bytes(core::at(plan_.ranks), 0.0), fresh(bytes);
    for (int rank = 0; rank < plan_.ranks; ++rank) {
      for (const std::size_t value : planned.operands) bytes[core::at(rank)] += bytes_of(value, rank);
      for (const std::size_t value : planned.results) fresh[core::at(rank)] += bytes_of(value, rank);
      bytes[core::at(rank)] += fresh[core::at(rank)];
    }
    part.work.add(cost::Item{Kernel::kMemory, 1024, 1, cost::over_ranks(bytes)});
    // Batches after the first reuse the memory of earlier ones.
    if (!planned.per_item) part.work.add(cost::Item{Kernel::kTouch, 1024, 1, cost::over_ranks(fresh)});
    return part;
  }

  double bytes_of(std::size_t value, int rank) const {
    const ValueInfo& info = plan_.values[value];
    return static_cast<double>(field_bytes(plan_, info, maps_of(plan_, info), rank));
  }

  const JobPlan& plan_;
  const Counts& counts_;
  JobWork& work_;
};

}  // namespace

StepWork work_of_transforms(const JobPlan& plan, const PlannedStep& planned, const cost::TransformCounts* transform) {
  if (transform == nullptr || planned.results.empty()) return {};
  const auto passes = static_cast<double>(planned.transforms);
  if (plan.values[planned.results.front()].sort == ValueSort::kMap) return {transform->of({.synthesis = passes}), {}};
  return {transform->of({.adjoint = passes}), {}};
}

cost::Work JobWork::total(double batches) const {
  cost::Work sum;
  for (const Part& part : once) sum.add(part.work);
  for (const Part& part : batch) sum.add(part.work, batches);
  return sum;
}

Index bytes_of_number(const JobPlan& plan) {
  return in_precision_of(plan, []<class T>() { return static_cast<Index>(sizeof(T)); });
}

JobWork job_work(const JobPlan& plan, CountedTransforms& counted) {
  JobWork work;
  const Counts counts(plan, counted);
  work.shares = counts.shares;
  Parts parts(plan, counts, work);
  work.once = parts.of(plan.schedule);
  if (!plan.campaign) return work;
  work.batch = parts.of(plan.campaign->schedule);
  return work;
}

}  // namespace armilla::job

#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/plan/backend_plan.hpp>
#include <armilla/job/plan/output_locks.hpp>
#include <armilla/job/plan/plan.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/value/patterns.hpp>

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace armilla::job {

namespace {

/// Collective. All ranks must have seen the same files, which may fail on node-local folders.
void compare_files_seen(const comm::Communicator& comm, const std::string& seen) {
  const std::string root = comm.broadcast(seen);
  comm::phase(comm, [&] {
    if (seen != root)
      throw core::InputError(
          fmt::format("rank {} finds input files that differ from those of rank 0: put them on a file system shared by "
                      "all nodes. It finds\n{}but rank 0 finds\n{}",
                      comm.rank(), seen, root));
  });
}

/// Values that are read or computed but not used.
std::vector<std::string> find_unused(const JobPlan& plan) {
  std::vector<bool> used(plan.values.size(), false);
  for (const auto& step : plan.steps)
    for (const std::size_t value : step.operands) used[value] = true;
  for (const auto& output : plan.outputs) used[output.value] = true;
  for (const std::size_t value : plan.kept) used[value] = true;
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i] && !plan.values[i].gives_grid)
      warnings.push_back(
          plan.spec.word({.where = plan.spec.file,
                          .text = fmt::format("'{}' is neither used by a step nor written", plan.values[i].name)}));
  return warnings;
}

/// `opened`: to be filled, or the inputs of another plan of the job.
JobPlan make_plan(JobSpec spec, int ranks, std::shared_ptr<OpenedInputs> opened, const Sources& sources) {
  JobPlan plan;
  plan.spec = std::move(spec);
  plan.ranks = ranks;
  plan.opened = std::move(opened);
  PlanBuilder builder(plan, sources);
  builder.campaign();
  builder.inputs();
  builder.steps();
  builder.outputs();
  builder.kept();
  plan.schedule = make_schedule(plan);
  if (plan.campaign) {
    plan.campaign->schedule = make_batch_schedule(plan);
    set_batch(plan, 1);
  }
  const std::vector<std::string> unused = find_unused(plan);
  plan.warnings.insert(plan.warnings.end(), unused.begin(), unused.end());
  for (const PlannedStep& step : plan.steps)
    plan.warnings.insert(plan.warnings.end(), step.warnings.begin(), step.warnings.end());
  plan.mark = outputs_mark(plan);
  return plan;
}

}  // namespace

std::size_t keeper_of(const JobPlan& plan, std::size_t step) {
  const PlannedStep& own = plan.steps[step];
  if (!own.per_item || !own.transform) return step;
  for (std::size_t before = 0; before < step; ++before) {
    const PlannedStep& other = plan.steps[before];
    if (other.per_item && other.transform && *other.transform == *own.transform &&
        plan.spec.steps[step].operation->shares_kept(*plan.spec.steps[before].operation))
      return before;
  }
  return step;
}

void PlanBuilder::note(const core::SeenFile& file, const std::string& content) {
  core::check_unchanged(file.path, file.state);
  plan_.opened->files.push_back(file);
  plan_.opened->seen += file.path + ": " + content + "\n";
}

std::vector<std::string> PlanBuilder::names() const {
  std::vector<std::string> result;
  for (const auto& value : plan_.values) result.push_back(value.name);
  return result;
}

std::size_t PlanBuilder::find(const Place& place, const Operand& operand) const {
  for (std::size_t i = 0; i < plan_.values.size(); ++i) {
    const ValueInfo& value = plan_.values[i];
    if (value.name != operand.name) continue;
    const bool has_places = operand.sort == ValueSort::kPoints && has_points(value.sort);
    if (value.sort != operand.sort && !has_places)
      refuse(place, operand.key, operand.name,
             fmt::format("is of type '{}', but '{}' is needed here", sort_name(value.sort), sort_name(operand.sort)));
    return i;
  }
  for (const auto& step : plan_.spec.steps)
    if (std::ranges::find(step.operation->results(), operand.name) != step.operation->results().end())
      refuse(place, operand.key, operand.name,
             fmt::format("is not created until {}: move that step before this one", mention(step.place)));
  refuse(place, operand.key, operand.name,
         fmt::format("is not defined by an input or an earlier step: {}. Or define {}",
                     did_you_mean(operand.name, names()), core::mention("inputs", operand.name)));
}

std::size_t PlanBuilder::add(const Place& place, ValueInfo value) {
  for (const auto& other : plan_.values)
    if (other.name == value.name)
      complain(place, {}, fmt::format("the name '{}' is already in use: choose another one", value.name));
  plan_.values.push_back(std::move(value));
  return plan_.values.size() - 1;
}

std::shared_ptr<const dist::AlmDistribution> PlanBuilder::alm(Index lmax, Index mmax) {
  const alm::AlmLayout layout(lmax, mmax);
  for (const auto& known : alms_)
    if (known->layout() == layout) return known;
  return alms_.emplace_back(std::make_shared<const dist::AlmDistribution>(layout, plan_.ranks));
}

std::shared_ptr<const dist::PixelDistribution> PlanBuilder::pixels(std::shared_ptr<const grid::RingGrid> grid) {
  for (const auto& known : pixels_)
    if (same_grid(known->grid(), *grid)) return known;
  return pixels_.emplace_back(std::make_shared<const dist::PixelDistribution>(std::move(grid), plan_.ranks));
}

void PlanBuilder::campaign() {
  std::vector<std::string> labels = item_labels(plan_.spec);
  const StepSpec* maker = nullptr;
  for (const auto& step : plan_.spec.steps) {
    const Index made = step.operation->makes_items();
    if (made == 0) continue;
    if (!labels.empty() && made != static_cast<Index>(labels.size()))
      refuse(step.place, "maps", fmt::format("{}", made),
             fmt::format("differs from the {} maps of {}: use the same number", labels.size(),
                         maker == nullptr ? "the inputs" : mention(maker->place)));
    if (maker == nullptr) maker = &step;
    for (Index item = static_cast<Index>(labels.size()); item < made; ++item) labels.push_back(fmt::format("{}", item));
  }
  if (labels.empty()) return;
  plan_.campaign.emplace();
  CampaignPlan& campaign = *plan_.campaign;
  campaign.digits = label_digits(labels);
  campaign.labels = std::move(labels);
  const ExecutionSpec& execution = plan_.spec.execution;
  if (execution.items) {
    campaign.items = *execution.items;
  } else {
    for (Index item = execution.part.first(campaign.maps()); item < execution.part.end(campaign.maps()); ++item)
      campaign.items.push_back(item);
  }
}

Index CampaignPlan::longest_run() const {
  Index longest = 1, now = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    now = i > 0 && items[i] == items[i - 1] + 1 ? now + 1 : 1;
    longest = std::max(longest, now);
  }
  return longest;
}

void set_batch(JobPlan& plan, Index maps) {
  set_maps_at_once(plan, maps);
  CampaignPlan& campaign = *plan.campaign;
  campaign.runs.clear();
  for (const Index item : campaign.items) {
    if (!campaign.runs.empty()) {
      CampaignPlan::Run& last = campaign.runs.back();
      if (last.maps < maps && last.first + last.maps == item) {
        ++last.maps;
        continue;
      }
    }
    campaign.runs.push_back({item, 1});
  }
}

void set_maps_at_once(JobPlan& plan, Index maps) {
  plan.campaign->batch = maps;
  for (auto& step : plan.steps)
    if (step.per_item && step.transform) {
      step.transform->maps = maps;
      step.transform->campaign = true;
    }
}

std::string output_file(const JobPlan& plan, std::size_t output, Index item) {
  const std::string& file = plan.spec.outputs[output].file;
  if (plan.outputs[output].form != OutputForm::kEach) return file;
  return with_label(file, plan.campaign->labels[static_cast<std::size_t>(item)], plan.campaign->digits);
}

core::OutputPath marked(const JobPlan& plan, const std::string& file) { return {file, plan.mark}; }

Index maps_at_once(const JobPlan& plan, const PlannedStep& step) { return step.per_item ? plan.campaign->batch : 1; }

bool is_output(const JobPlan& plan, std::size_t value) {
  return std::ranges::any_of(plan.outputs, [&](const PlannedOutput& output) { return output.value == value; });
}

bool is_kept_for_caller(const JobPlan& plan, std::size_t value) {
  return std::ranges::find(plan.kept, value) != plan.kept.end();
}

JobPlan plan_job(const comm::Communicator& comm, JobSpec spec, const Sources& sources) {
  expand_inputs(comm, spec, sources);
  JobPlan plan;
  comm::phase(comm, [&] { plan = make_plan(std::move(spec), comm.size(), std::make_shared<OpenedInputs>(), sources); });
  compare_files_seen(comm, plan.opened->seen);
  check_same_on_all_ranks(comm, plan.opened->files);
  choose_backend(comm, plan);
  return plan;
}

JobPlan plan_alone(JobSpec spec, int ranks, const Sources& sources) {
  return make_plan(std::move(spec), ranks, std::make_shared<OpenedInputs>(), sources);
}

JobPlan plan_for(const JobPlan& plan, int ranks) { return make_plan(plan.spec, ranks, plan.opened, {}); }

}  // namespace armilla::job

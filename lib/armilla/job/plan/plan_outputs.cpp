#include <armilla/core/absolute_path.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/job/operation/operation.hpp>
#include <armilla/job/parse/nearest_key.hpp>
#include <armilla/job/plan/output_locks.hpp>
#include <armilla/job/plan/plan_builder.hpp>
#include <armilla/job/value/output_file.hpp>
#include <armilla/job/value/patterns.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;

namespace {

/// A canonical path for all names of a file, whether or not it exists.
std::string identity(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(core::absolute_path(file), error);
  return error ? file : path.string();
}

/// Like identity() for thousands of files in few folders: links are resolved, other files are identified by folder and
/// name.
class FolderIdentities {
 public:
  std::string operator()(const std::string& file) {
    const fs::path path(file);
    std::error_code error;
    if (fs::is_symlink(path, error)) return identity(file);
    const std::string folder = path.parent_path().string();
    const auto [known, is_new] = folders_.emplace(folder, std::string());
    if (is_new) known->second = identity(folder.empty() ? "." : folder);
    return (fs::path(known->second) / path.filename()).string();
  }

 private:
  std::map<std::string, std::string> folders_;
};

/// How outputs distinguish the maps of a campaign.
OutputForm form_of(const JobPlan& plan, const OutputSpec& output, const ValueInfo& value) {
  bool each = false;
  try {
    each = has_placeholder(output.file);
    if (each && value.per_item)
      for (const std::string& label : plan.campaign->labels) with_label(output.file, label);
  } catch (const core::InputError& error) {
    refuse(output.place, "file", output.file, error.what());
  }
  if (!value.per_item) {
    if (each)
      refuse(output.place, "file", output.file,
             fmt::format("has a placeholder, but '{}' is shared by all maps: remove the placeholder", value.name));
    return OutputForm::kOne;
  }
  if (each) return OutputForm::kEach;
  if (is_pattern(output.file))
    refuse(output.place, "file", output.file,
           "is an input pattern: use the placeholder '{}' instead, which is replaced by the label of each map");
  if (has_points(value.sort))
    refuse(output.place, "file", output.file,
           fmt::format("is a single file, but '{}' has {} maps: add the placeholder '{{}}' to its name", value.name,
                       plan.campaign->labels.size()));
  if (!can_have_batch_axis(output.file))
    refuse(output.place, "file", output.file,
           fmt::format("is a single file, but '{}' has {} maps: add the placeholder '{{}}' to its name, or write .h5, "
                       "which supports a batch axis",
                       value.name, plan.campaign->labels.size()));
  if (output.ordering == Ordering::kNested)
    refuse(output.place, "ordering", "nested",
           "cannot be combined with a batch axis: add the placeholder '{}' to the file name, or remove this key");
  return OutputForm::kBatchAxis;
}

/// Tests by writing, because permission bits are not reliable for root and on network file systems. `context`: what
/// names the file.
void check_writable(core::ErrorContext context, const core::OutputPath& file) {
  try {
    check_output_place(file);
  } catch (const core::Error& error) {
    context.text = error.what();
    core::throw_error(error.kind(), std::move(context));
  }
}

/// Every file of the job, by identity, with its description in messages. Throws if one is written twice or also read.
class FileNames {
 public:
  void read(const std::string& what, const std::string& file) { read_.emplace(identity(file), what); }
  void read_item(const std::string& what, const std::string& file) { read_.emplace(of_item_(file), what); }
  /// `context`: what names the file.
  void write(core::ErrorContext context, const std::string& file) {
    write_as(std::move(context), file, identity(file));
  }
  void write_item(core::ErrorContext context, const std::string& file) {
    write_as(std::move(context), file, of_item_(file));
  }

 private:
  void write_as(core::ErrorContext context, const std::string& file, const std::string& name) {
    const auto refuse_as = [&](const char* use, const std::string& other) {
      context.text = fmt::format("{} is also {} by {}: write to another file", file, use, other);
      throw core::InputError(std::move(context));
    };
    if (const auto other = read_.find(name); other != read_.end()) refuse_as("read", other->second);
    const std::string what = context.section.empty() ? context.where : core::mention(context.section, context.key);
    const auto [other, is_new] = written_.emplace(name, what);
    if (!is_new) refuse_as("written", other->second);
  }

  FolderIdentities of_item_;
  std::map<std::string, std::string> read_, written_;
};

}  // namespace

void check_output_names(const JobPlan& plan, const std::string& report_file) {
  FileNames names;
  names.read("the job itself", plan.spec.file);
  for (const auto& input : plan.spec.inputs) {
    if (input.items.files.empty())
      for (const auto& file : input.entries()) names.read(mention(input.place), file);
    for (const auto& file : input.items.files) names.read_item(mention(input.place), file);
  }
  for (const auto& step : plan.spec.steps)
    for (const FileSpec& file : step.operation->files()) names.read(mention(file.place), file.path);
  for (std::size_t i = 0; i < plan.spec.outputs.size(); ++i) {
    const OutputSpec& output = plan.spec.outputs[i];
    if (plan.outputs[i].form != OutputForm::kEach) {
      names.write(error_at(output.place, {}, {}), output.file);
      continue;
    }
    for (Index item = 0; item < plan.campaign->maps(); ++item)
      names.write_item(error_at(output.place, {}, {}), output_file(plan, i, item));
  }
  if (!report_file.empty()) names.write({.where = "--report"}, report_file);
}

void PlanBuilder::outputs() {
  for (const auto& output : plan_.spec.outputs) {
    PlannedOutput planned;
    planned.value = plan_.values.size();
    for (std::size_t i = 0; i < plan_.values.size(); ++i)
      if (plan_.values[i].name == output.name) planned.value = i;
    if (planned.value == plan_.values.size())
      complain(output.place, {},
               fmt::format("'{}' is not defined by an input or a step: {}", output.name,
                           did_you_mean(output.name, names())));
    check_output_format(output, plan_.values[planned.value]);
    planned.form = form_of(plan_, output, plan_.values[planned.value]);
    planned.bytes = output_bytes(output, plan_.values[planned.value]);
    if (planned.form != OutputForm::kOne)
      planned.bytes = core::saturating_product(planned.bytes, plan_.campaign->maps());
    plan_.outputs.push_back(planned);
  }
}

void PlanBuilder::kept() {
  if (!plan_.spec.keep) return;
  std::vector<bool> is_kept(plan_.values.size(), true);
  for (const auto& input : plan_.inputs) {
    is_kept[input.value] = false;
    if (input.good_pixels) is_kept[*input.good_pixels] = false;
  }
  for (const auto& step : plan_.steps)
    for (const std::size_t value : step.operands) is_kept[value] = false;
  for (const auto& output : plan_.outputs) is_kept[output.value] = false;
  for (const std::string& name : *plan_.spec.keep) {
    const auto value = std::ranges::find(plan_.values, name, &ValueInfo::name);
    if (value == plan_.values.end())
      throw core::InputError(fmt::format("{}: '{}' is to be kept, but is not defined by an input or a step: {}",
                                         plan_.spec.file, name, did_you_mean(name, names())));
    is_kept[static_cast<std::size_t>(value - plan_.values.begin())] = true;
  }
  for (std::size_t value = 0; value < is_kept.size(); ++value)
    if (is_kept[value]) plan_.kept.push_back(value);
}

void check_output_places(const JobPlan& plan, const std::string& report_file) {
  for (std::size_t i = 0; i < plan.spec.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i))
      check_writable(error_at(plan.spec.outputs[i].place, {}, {}), marked(plan, file));
  if (!report_file.empty()) check_writable({.where = "--report"}, marked(plan, report_file));
}

}  // namespace armilla::job

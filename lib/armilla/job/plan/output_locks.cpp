#include <armilla/core/absolute_path.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/core/log.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/timer.hpp>
#include <armilla/job/plan/output_locks.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

namespace armilla::job {

namespace {

namespace fs = std::filesystem;

// Some file systems have node-local locks (BeeGFS by default, Lustre with localflock, NFS with nolock). A lock that was
// acquired is then no proof that a run on another node is dead. A partial file without writes for this long is. [s]
constexpr double kDeadAge = 3600;

// A run that waits longer logs a message. [s]
constexpr double kSilence = 1;

std::vector<std::string> files_of(const JobPlan& plan, std::size_t output) {
  std::vector<std::string> files;
  const Index count = plan.outputs[output].form == OutputForm::kEach ? plan.campaign->maps() : 1;
  for (Index item = 0; item < count; ++item) files.push_back(output_file(plan, output, item));
  return files;
}

std::string host_text() { return fmt::format(" on host {} (", core::host_name()); }

/// Describes this run, for messages of other runs.
std::string holder_text(const JobPlan& plan) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const char* slurm = std::getenv("SLURM_JOB_ID");
  return fmt::format("the run of {}{}process {}{}{}) since {:%F %T} UTC", core::absolute_path(plan.spec.file),
                     host_text(), ::getpid(), slurm == nullptr ? "" : ", Slurm job ", slurm == nullptr ? "" : slurm,
                     now);
}

}  // namespace

std::string outputs_mark(const JobPlan& plan) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : files_of(plan, i)) files.push_back(core::absolute_path(file));
  std::ranges::sort(files);
  std::uint64_t hash = core::fnv1a(nullptr, 0);
  for (const auto& file : files) hash = core::fnv1a(file.c_str(), file.size() + 1, hash);
  const CampaignPart& part = plan.spec.execution.part;
  if (!part.is_all()) hash = core::fnv1a(&part, sizeof(part), hash);
  return fmt::format("{:016x}", hash);
}

std::vector<std::string> places_of(const JobPlan& plan, std::size_t output) {
  std::map<std::string, std::string> longest;  // by folder
  for (const auto& file : files_of(plan, output)) {
    std::string& known = longest[core::folder_of(file)];
    if (file.size() > known.size()) known = file;
  }
  std::vector<std::string> files;
  for (const auto& [folder, file] : longest) files.push_back(file);
  return files;
}

std::set<std::string> output_folders(const JobPlan& plan, const std::string& report_file) {
  std::set<std::string> folders;
  const auto add = [&](const std::string& file) {
    const std::string folder = core::folder_of(core::output_target(file));
    std::error_code error;
    const fs::path place = fs::canonical(folder, error);
    if (error)
      throw core::ResourceError(
          fmt::format("cannot access the folder of output '{}' ({}): check its permissions", file, error.message()));
    folders.insert(place.string());
  };
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    for (const auto& file : places_of(plan, i)) add(file);
  if (!report_file.empty()) add(report_file);
  return folders;
}

OutputLocks::OutputLocks(const JobPlan& plan, const std::string& report_file, double patience) {
  if (plan.outputs.empty()) return;
  const double start = core::now_seconds();
  const std::string holder = holder_text(plan);
  // In alphabetical order, as in all runs, to avoid deadlock.
  for (const auto& folder : output_folders(plan, report_file)) {
    const std::string path = fmt::format("{}/.armilla-{}.lock", folder, plan.mark);
    const double rest = std::max(patience - (core::now_seconds() - start), 0.0);
    core::FileLock lock = [&] {
      try {
        return core::FileLock(path, holder, std::min(rest, kSilence));
      } catch (const core::InputError& error) {
        if (rest > kSilence) core::log().warn("waiting for up to {:.0f} s: {}", rest, error.what());
      }
      return core::FileLock(path, holder, std::max(rest - kSilence, 0.0));
    }();
    if (!lock.is_held()) {
      core::log().warn("{}: concurrent runs of this job cannot be prevented, but the outputs of each will be complete",
                       lock.problem());
      continue;
    }
    const bool was_here = lock.left_over().find(host_text()) != std::string::npos;
    if (const int removed = core::remove_partial_files(folder, plan.mark, was_here ? 0 : kDeadAge); removed > 0)
      core::log().info("{}: removed {} partial files of an interrupted run of this job", folder, removed);
    locks_.push_back(std::move(lock));
  }
}

}  // namespace armilla::job

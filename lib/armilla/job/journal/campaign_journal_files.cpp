#include <armilla/core/error.hpp>
#include <armilla/job/journal/campaign_journal.hpp>

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

namespace armilla::job {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double kOld = 3600;  // [s] since the last write to a partial file of any run

/// Creates the unfinished file of a complete output as a copy of it.
void copy_complete(const JobPlan& plan, std::size_t output, const std::string& unfinished) {
  core::OutputPath path = marked(plan, plan.spec.outputs[output].file);
  path.kept = unfinished;
  core::PartialFile file(path);
  if (file.is_continued()) return;
  std::error_code error;
  fs::copy_file(plan.spec.outputs[output].file, file.path(), fs::copy_options::overwrite_existing, error);
  if (error)
    throw core::ResourceError(
        fmt::format("cannot copy '{}' in order to continue it ({}): free disk space, or remove the file",
                    plan.spec.outputs[output].file, error.message()));
  file.keep();
}

}  // namespace

void CampaignJournal::prepare_files(const JobPlan& plan, const Selection& selection, bool restart,
                                    std::vector<json>& lines) {
  const CampaignView view(plan, key_);
  remove_stale(view);
  const CampaignPart& part = plan.spec.execution.part;
  bool is_lost = false;  // whether earlier results in files of all maps are lost
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    if (plan.outputs[i].form == OutputForm::kBatchAxis) {
      const std::string unfinished = view.unfinished(i);
      std::error_code error;
      if (restart && part.is_all()) fs::remove(unfinished, error);
      if (!selection.items.empty() && view.is_published(i) && !(restart && part.is_all()))
        copy_complete(plan, i, unfinished);
      is_lost = is_lost || !view.is_usable(i);
    } else if (view.is_statistics(i)) {
      const std::string spectra = view.spectra(plan.outputs[i].value);
      std::error_code error;
      if (restart && part.is_all()) fs::remove(spectra, error);
      is_lost = is_lost || (!selection.items.empty() && !view.has_spectra(plan.outputs[i].value));
    }
  }
  if (is_lost && !view.journal().maps.empty()) {
    // A braced list would append several lines.
    lines.insert(lines.begin(), json{{"line", "forget"}, {"time", now()}});
  } else if (restart) {
    json labels = json::array();
    for (const Index item : selection.items) labels.push_back(plan.campaign->labels[static_cast<std::size_t>(item)]);
    lines.insert(lines.begin(), json{{"line", "forget"}, {"time", now()}, {"maps", labels}});
  }
}

/// Removes unfinished files of other settings or other maps, and old partial files, if no other run is active.
void CampaignJournal::remove_stale(const CampaignView& view) const {
  for (const RunEntry& run : view.journal().runs)
    if (run.is_live && run.id != run_) return;
  for (const std::string& folder : folders_) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      const bool is_kept = name.ends_with(".unfinished") || name.ends_with(".spectra");
      if (is_kept && name.starts_with(place_.campaign + "-") &&
          name.find("-" + key_.layout + ".") == std::string::npos) {
        std::error_code ignored;
        fs::remove(entry->path(), ignored);
      }
      const bool is_old = clock_seconds() - 1e-9 * static_cast<double>(stamp_of(entry->path().string()).mtime) > kOld;
      if (name.ends_with(".partial") && is_old) {
        std::error_code ignored;
        fs::remove(entry->path(), ignored);
      }
    }
  }
}

}  // namespace armilla::job

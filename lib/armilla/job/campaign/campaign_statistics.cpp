#include <armilla/core/error.hpp>
#include <armilla/job/campaign/campaign_statistics.hpp>
#include <armilla/job/campaign/spectra_statistics.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/finite_check.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace armilla::job {

void CampaignStatistics::open() {
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    const std::size_t value = plan_.outputs[i].value;
    const ValueInfo& info = plan_.values[value];
    if (info.sort != ValueSort::kStatistics || stores_.contains(value)) continue;
    stores_[value] = std::make_unique<SpectraFile>(world_, journal_.spectra(plan_, i), plan_.campaign->maps(),
                                                   static_cast<Index>(info.spectra.size()), info.spectra_lmax);
  }
}

void CampaignStatistics::sync() {
  for (const auto& [value, store] : stores_) store->sync();
}

void CampaignStatistics::write(const CampaignJournal::Published& all, Progress& progress, RunRecord& record) {
  if (stores_.empty()) return;
  progress.note("computing statistics");
  const core::ScopedPhase timer(record.timers, "statistics");
  for (const auto& [number, store] : stores_) {
    const std::size_t value = number;
    // If another part completed them, it has removed their source spectra.
    if (is_published(value, all)) continue;
    store->finish();
    SpectraStatistics statistics(world_, *store, plan_.values[value], all.states);
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
      if (plan_.outputs[i].value != value || all.published[i] != 0) continue;
      const std::string& file = plan_.spec.outputs[i].file;
      statistics.write(marked(plan_, file), [&](const ops::NonfiniteCount& found, Index numbers) {
        refuse_nonfinite(value, nonfinite_text(plan_.values[value].name, found.nan, found.infinite, numbers), record);
      });
      journal_.add_file(plan_, i, file, all.states);
    }
  }
  // Left-out maps may be added later, and need the spectra of the others.
  if (std::ranges::find(all.states, Index{0}) != all.states.end() || !world_.is_root()) return;
  for (const auto& [value, store] : stores_) store->remove();
}

bool CampaignStatistics::is_published(std::size_t value, const CampaignJournal::Published& all) const {
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
    if (plan_.outputs[i].value == value && all.published[i] == 0) return false;
  return true;
}

void CampaignStatistics::refuse_nonfinite(std::size_t value, const std::string& text, RunRecord& record) {
  const auto made = std::ranges::find_if(plan_.steps, [&](const PlannedStep& step) {
    return std::ranges::find(step.results, value) != step.results.end();
  });
  const Place& place = plan_.spec.steps[static_cast<std::size_t>(made - plan_.steps.begin())].place;
  if (plan_.spec.execution.on_nonfinite == NonfinitePolicy::kError)
    complain(place, {}, fmt::format("{}: {}", text, kNonfiniteAdvice));
  if (!world_.is_root()) return;
  const std::string message = core::sentence(error_at(place, {}, text));
  spdlog::warn("{}", message);
  record.warnings.push_back(message);
}

}  // namespace armilla::job

#include <armilla/core/error.hpp>
#include <armilla/job/campaign/campaign_statistics.hpp>
#include <armilla/job/campaign/spectra_statistics.hpp>
#include <armilla/job/parse/refuse.hpp>
#include <armilla/job/run/finite_check.hpp>

#include <algorithm>

#include <fmt/format.h>

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
        handle_nonfinite(plan_, value, nonfinite_text(plan_.values[value].name, found.nan, found.infinite, numbers),
                         world_.is_root(), record);
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

}  // namespace armilla::job

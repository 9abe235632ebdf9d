#include <armilla/core/saturating.hpp>
#include <armilla/job/journal/campaign_view.hpp>
#include <armilla/job/parse/refuse.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace armilla::job {

using nlohmann::json;

CampaignView::CampaignView(const JobPlan& plan, const CampaignKey& key)
    : plan_(plan),
      key_(key),
      place_(journal_place(plan.spec)),
      journal_(read_journal(place_.folder(), place_.campaign)) {}

std::vector<Index> CampaignView::states() const {
  std::vector<Index> states;
  for (const std::string& label : plan_.campaign->labels) {
    const auto found = journal_.maps.find(label);
    const bool is_known = found != journal_.maps.end() && journal_.digest_of(found->second.run) == key_.digest;
    states.push_back(!is_known ? -1 : found->second.left_out ? 0 : 1);
  }
  return states;
}

std::string CampaignView::states_digest() const {
  json all = json::array();
  const std::vector<Index> now = states();
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto found = journal_.maps.find(plan_.campaign->labels[i]);
    all.push_back({now[i], found == journal_.maps.end() ? json() : found->second.inputs});
  }
  return digest_of(all).substr(0, 16);
}

bool CampaignView::is_statistics(std::size_t output) const {
  return plan_.values[plan_.outputs[output].value].sort == ValueSort::kStatistics;
}

std::string CampaignView::unfinished(std::size_t output) const {
  return unfinished_file(place_, plan_.spec.outputs[output].file, key_.layout);
}

bool CampaignView::is_published(std::size_t output) const {
  const bool is_of_maps = plan_.outputs[output].form == OutputForm::kBatchAxis || is_statistics(output);
  if (plan_.outputs[output].form == OutputForm::kBatchAxis && stamp_of(unfinished(output)).is_there()) return false;
  const FileStamp stamp = stamp_of(plan_.spec.outputs[output].file);
  const std::string name = place_.relative(plan_.spec.outputs[output].file);
  const std::string now = is_of_maps ? states_digest() : std::string();
  return stamp.is_there() && std::ranges::any_of(journal_.files, [&](const FileEntry& entry) {
           return entry.file.file == name && entry.file.stamp == stamp &&
                  journal_.digest_of(entry.run) == key_.digest && entry.states == now &&
                  (!is_of_maps || entry.file.layout == key_.layout);
         });
}

bool CampaignView::is_usable(std::size_t output) const {
  return stamp_of(unfinished(output)).is_there() || is_published(output);
}

bool CampaignView::has_spectra(std::size_t value) const {
  const std::vector<Index> now = states();
  const auto last = std::find(now.rbegin(), now.rend(), Index{1});
  const Index end = static_cast<Index>(now.rend() - last);
  const ValueInfo& info = plan_.values[value];
  const Index bytes = static_cast<Index>(info.spectra.size()) * stored_spectrum_bytes(info.spectra_lmax);
  return stamp_of(spectra(value)).size >= core::saturating_product(end, bytes);
}

bool CampaignView::has_spectra() const {
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
    if (is_statistics(i) && !has_spectra(plan_.outputs[i].value)) return false;
  return true;
}

bool CampaignView::is_all_published() const {
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
    if (plan_.outputs[i].form != OutputForm::kEach && !is_published(i)) return false;
  return true;
}

bool CampaignView::is_done(Index item) const {
  const auto found = journal_.maps.find(plan_.campaign->labels[static_cast<std::size_t>(item)]);
  if (found == journal_.maps.end()) return false;
  const MapEntry& entry = found->second;
  if (entry.left_out || journal_.digest_of(entry.run) != key_.digest || entry.inputs != map_inputs(plan_, item))
    return false;
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    if (plan_.outputs[i].form != OutputForm::kEach) continue;
    const std::string file = output_file(plan_, i, item);
    const auto known = std::ranges::find(entry.outputs, place_.relative(file), &JournalFile::file);
    if (known == entry.outputs.end() || stamp_of(file) != known->stamp) return false;
  }
  return true;
}

std::string CampaignView::existing_output(const MapEntry& entry) const {
  for (const JournalFile& output : entry.outputs) {
    const std::string file = place_.resolved(output.file);
    const FileStamp stamp = stamp_of(file);
    if (output.layout.empty()) {
      if (stamp.is_there() && stamp == output.stamp) return file;
      continue;
    }
    if (const std::string part = unfinished_file(place_, file, output.layout); stamp_of(part).is_there()) return part;
    for (const FileEntry& known : journal_.files)
      if (known.file.file == output.file && known.file.layout == output.layout && known.file.stamp == stamp)
        return file;
  }
  return {};
}

void CampaignView::refuse_other_key(Index item) const {
  const std::string& label = plan_.campaign->labels[static_cast<std::size_t>(item)];
  const auto found = journal_.maps.find(label);
  if (found == journal_.maps.end()) return;
  const RunEntry* run = journal_.run(found->second.run);
  if (run == nullptr || run->digest == key_.digest) return;
  const std::string file = existing_output(found->second);
  if (file.empty()) return;
  refuse_text(plan_.spec.file,
              fmt::format("an earlier run computed map {} with different settings, and its output '{}' exists: {}. Run "
                          "with --restart to recompute all maps, undo the change, or write to other files",
                          label, file, differences(run->key, key_.content)));
}

}  // namespace armilla::job

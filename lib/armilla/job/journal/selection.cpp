#include <armilla/comm/phase.hpp>
#include <armilla/job/journal/selection.hpp>

#include <array>

namespace armilla::job {

Selection select_maps(const JobPlan& plan, const CampaignView& view, bool restart) {
  const CampaignPart& part = plan.spec.execution.part;
  const Index maps = plan.campaign->maps();
  const Index first = part.first(maps), end = part.end(maps);
  Selection selection;
  const auto take_all = [&] {
    selection.items.clear();
    for (Index item = first; item < end; ++item) selection.items.push_back(item);
  };
  bool files_are_usable = true;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    if (plan.outputs[i].form == OutputForm::kBatchAxis) files_are_usable = files_are_usable && view.is_usable(i);
  for (Index item = first; item < end; ++item) {
    if (!restart) view.refuse_other_key(item);
    if (restart || !files_are_usable || !view.is_done(item)) selection.items.push_back(item);
  }
  const std::vector<Index> states = view.states();
  for (Index item = 0; item < maps; ++item)
    if ((item < first || item >= end) && states[static_cast<std::size_t>(item)] < 0) ++selection.elsewhere;
  const bool is_incomplete = !view.is_all_published();
  const bool is_missing = selection.items.empty() && selection.elsewhere == 0 && is_incomplete;
  if ((!selection.items.empty() || is_incomplete) && !view.has_spectra()) take_all();
  selection.publishes = is_missing && selection.items.empty();
  selection.done = end - first - static_cast<Index>(selection.items.size());
  return selection;
}

Selection select_maps(const comm::Communicator& comm, const JobPlan& plan, bool restart) {
  Selection selection;
  if (plan.outputs.empty()) {
    selection.items = plan.campaign->items;
    return selection;
  }
  comm::phase(comm, [&] {
    if (!comm.is_root()) return;
    const CampaignKey key = campaign_key(plan);
    selection = select_maps(plan, CampaignView(plan, key), restart);
  });
  std::array<Index, 4> numbers{static_cast<Index>(selection.items.size()), selection.done, selection.elsewhere,
                               selection.publishes ? 1 : 0};
  comm.broadcast(numbers.data(), sizeof(numbers));
  selection.items.resize(static_cast<std::size_t>(numbers[0]));
  if (numbers[0] > 0) comm.broadcast(selection.items.data(), numbers[0] * static_cast<Index>(sizeof(Index)));
  selection.done = numbers[1];
  selection.elsewhere = numbers[2];
  selection.publishes = numbers[3] != 0;
  return selection;
}

}  // namespace armilla::job

#include <armilla/job/campaign/batch_sizes.hpp>

#include <algorithm>
#include <cmath>

namespace armilla::job {

namespace {

// Batches differ, because other programs use the nodes and the file system.
constexpr double kMargin = 1.1;
// A batch that takes longer than expected is lost. Batches of another size are therefore planned for this share of the
// time.
constexpr double kShare = 0.5;

}  // namespace

BatchQueue::BatchQueue(const CampaignPlan& campaign, int group) {
  for (Index number = group; number < campaign.batches(); number += campaign.groups)
    runs_.push_back(campaign.runs[static_cast<std::size_t>(number)]);
}

CampaignPlan::Run BatchQueue::take(Index most) {
  CampaignPlan::Run& front = runs_.front();
  const CampaignPlan::Run taken{front.first, std::min(front.maps, most)};
  front.first += taken.maps;
  front.maps -= taken.maps;
  if (front.maps == 0) runs_.pop_front();
  return taken;
}

Index BatchSizes::first(double seconds) const { return std::isinf(seconds) || choice_ == Choice::kFixed ? most_ : 1; }

void BatchSizes::add(Index maps, double seconds) { map_ = std::max(map_, seconds / static_cast<double>(maps)); }

void BatchSizes::set_preparation(double seconds) { preparation_ = std::max(preparation_, seconds); }

double BatchSizes::expected(Index maps, Index prepared) const {
  return map_ * static_cast<double>(maps) + (maps == prepared ? 0 : preparation_);
}

Index BatchSizes::fitting(double seconds) const {
  const double maps = std::floor(seconds / (kMargin * (map_ + write_)));
  return maps >= static_cast<double>(most_) ? most_ : static_cast<Index>(std::max(maps, 0.0));
}

Index BatchSizes::next(double seconds, Index prepared) const {
  if (std::isinf(seconds)) return most_;
  if (!(seconds > 0)) return 0;
  const bool is_known = map_ + write_ > 0;
  if (!is_known) return first(seconds);
  if (choice_ == Choice::kFixed) return fitting(seconds) == most_ ? most_ : 0;
  const double left = seconds - preparation_;
  const Index unprepared = std::max(fitting(kShare * left), std::min<Index>(fitting(left), 1));
  if (unprepared >= 2 * prepared) return unprepared;
  return fitting(seconds) >= prepared ? prepared : unprepared;
}

}  // namespace armilla::job
